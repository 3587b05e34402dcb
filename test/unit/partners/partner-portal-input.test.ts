/** The parameters of what a partner asks about itself (docs/contract/partners.md). */
import { readCampaignsInput, readCreditedInput, readTrafficInput } from '../../../src/partner-portal/input';
import { refusal } from '../../support/http/refusal';

const READERS = { traffic: readTrafficInput, credited: readCreditedInput, campaigns: readCampaignsInput };

test.each<[keyof typeof READERS, string, string]>([
  ['traffic', 'to=2026-03-01', 'from: must be a day, written YYYY-MM-DD'],
  ['traffic', 'from=2026-03-02&to=2026-03-01', 'from: must not be after to'],
  ['traffic', 'from=2026-01-01&to=2027-01-02', 'to: the range must have at most 366 days, both included'],
  [
    'traffic',
    'from=2026-01-01&to=2026-02-01&granularity=hour',
    'to: the range must have at most 31 days, both included',
  ],
  ['traffic', 'from=2026-01-01&to=2026-02-01&granularity=week', 'granularity: must be one of hour, day'],
  ['traffic', 'from=2026-01-01&to=2026-01-01&project_id=x', 'project_id: must be a whole number from 1 to 2147483647'],
  ['credited', 'from=2026-01-01&to=2026-01-01&limit=0', 'limit: must be a whole number from 1 to 1000'],
  ['credited', 'from=2026-02-30&to=2026-03-01', 'from: must be a day, written YYYY-MM-DD'],
  ['campaigns', `search=${'x'.repeat(101)}`, 'search: must have at most 100 characters'],
  ['campaigns', 'search=%00', 'search: must be text without NUL characters and lone surrogates'],
])('%s?%s is refused', (path, query, msg) =>
  expect(refusal(() => READERS[path](new URLSearchParams(query)))).toEqual([400, msg]),
);

test('what is left out is filled in', () => {
  const range = { from: '2026-01-01', to: '2026-12-31' };
  expect(readTrafficInput(new URLSearchParams(range))).toMatchObject({ granularity: 'day', projectId: undefined });
  expect(readCreditedInput(new URLSearchParams(range))).toMatchObject({ projectId: undefined, limit: 100 });
  expect(readCampaignsInput(new URLSearchParams())).toEqual({ search: '', page: { page: 1, limit: 100, offset: 0 } });
});
