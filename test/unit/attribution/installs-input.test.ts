/** The parameters of the list of installs (docs/contract/attribution.md). */
import { listParameters, placeText, toListInput } from '../../../src/installs/input';
import { readValues } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

const read = (query: Record<string, string>) => toListInput(readValues(listParameters, new URLSearchParams(query)));

test('a place is read as it was written', () => {
  const before = { installedMs: Date.UTC(2026, 0, 1), installId: 'install \u00fc' };
  expect(read({ before: placeText(before) }).before).toEqual(before);
});

test.each([
  [{ limit: '0' }, 'limit: must be a whole number from 1 to 200'],
  [{ limit: '201' }, 'limit: must be a whole number from 1 to 200'],
  [{ from: '2026-02-30' }, 'from: must be a day, written YYYY-MM-DD'],
  [{ from: '2026-02-02', to: '2026-02-01' }, 'from: must not be after to'],
  [{ organic: 'yes' }, 'organic: must be true or false'],
  [{ partner_id: 'x' }, 'partner_id: must be a whole number from 1 to 4294967295'],
  [{ before: 'x' }, 'before: must be a next_before of this list'],
  [{ before: Buffer.from('[1e300,"x"]').toString('base64url') }, 'before: must be a next_before of this list'],
  [{ before: Buffer.from('[1,"\\u0000"]').toString('base64url') }, 'before: must be a next_before of this list'],
  [{ search: 'x'.repeat(256) }, 'search: must have at most 255 characters'],
  [{ search: '\0' }, 'search: must be text without NUL characters and lone surrogates'],
])('%j is refused', (query, msg) => expect(refusal(() => read(query as Record<string, string>))).toEqual([400, msg]));
