/** Which rows of an import of clicks are taken, and what is said of the others (docs/contract/s2s.md). */
import { Receipts } from '../../../src/ingest/receipts';
import { importClicks } from '../../../src/s2s/import';
import { readSnapshot, readStore } from '../../support/links/in-memory';
import { GAID, workspace } from '../../support/workspace/workspace';

const { snapshot } = readSnapshot(workspace);
const { rows, store } = readStore();
const options = {
  snapshot,
  enabled: true,
  datacenters: { contains: () => false },
  receipts: new Receipts(Date.now),
  clicks: store,
};
/** To the first project of the workspace, as JSON. */
const send = (clicks: readonly unknown[]) => importClicks(1, JSON.parse(JSON.stringify(clicks)) as unknown[], options);
const stored = (tid: string) => rows.filter((row) => row.tid === tid);
let number = 0;
const row = (more: object = {}) => ({
  c: 'AbC123',
  tid: `import-${(number += 1)}`,
  click_time: '2019-11-07T09:30:00Z',
  gaid: GAID,
  ...more,
});

test.each([
  ['RFC 3339 with a zone', '2019-11-07T15:00:00.5+05:30', Date.UTC(2019, 10, 7, 9, 30, 0, 500)],
  ['Unix milliseconds', '1573119000500', Date.UTC(2019, 10, 7, 9, 30, 0, 500)],
  ['Unix milliseconds as a number', 1573119000500, Date.UTC(2019, 10, 7, 9, 30, 0, 500)],
  ['Unix seconds', '1573119000', Date.UTC(2019, 10, 7, 9, 30)],
  ['the epoch', '1970-01-01T00:00:00Z', 0],
])('takes times as %s', async (_, click_time, at) => {
  const one = row({ click_time });
  expect(await send([one])).toEqual({ accepted: 1, rejected: [] });
  expect(stored(one.tid)).toMatchObject([{ click_time: at, received_at: at }]);
});

test('a time in the future is now', async () => {
  const one = row({ click_time: Date.now() + 86_400_000 });
  await send([one]);
  expect(Math.abs((stored(one.tid)[0]?.click_time as number) - Date.now())).toBeLessThan(20_000);
});

test.each<[string, object | null | string | number, string, string]>([
  ['no object', 7, 'invalid_field', ''],
  ['null', null, 'invalid_field', ''],
  ['a list', [], 'invalid_field', ''],
  ['no c', { c: undefined }, 'missing_c', 'c'],
  ['an empty tid', { tid: '' }, 'missing_tid', 'tid'],
  ['a tid that is true', { tid: true }, 'invalid_field', 'tid'],
  ['half a surrogate pair', { s2: '\ud800' }, 'invalid_field', 's2'],
  ['a long value', { s3: 'é'.repeat(257) }, 'value_too_long', 's3'],
  ['a macro', { s4: 'x{click_id}' }, 'unreplaced_macro', 's4'],
  ['a macro of another form', { tid: '__CLICKID__' }, 'unreplaced_macro', 'tid'],
  ['a macro, beside one that is not read', { note: '{note}', s2: '%%ADID%%' }, 'unreplaced_macro', 's2'],
  ['a macro under another name', { tid: undefined, clickid: '[CLICK_ID]' }, 'unreplaced_macro', 'tid'],
  ['no UUID as gaid', { gaid: 'x' }, 'invalid_device_id', 'gaid'],
  ['no UUID as idfa', { idfa: 'x' }, 'invalid_device_id', 'idfa'],
  ['no identifier', { gaid: null, ip: '10.0.0.1' }, 'missing_device_id', 'gaid'],
  ['no time', { click_time: undefined }, 'invalid_click_time', 'click_time'],
  ['a day as time', { click_time: '2019-11-07' }, 'invalid_click_time', 'click_time'],
  ['11 digits as time', { click_time: 15731190005 }, 'invalid_click_time', 'click_time'],
  ['a time before 1970', { click_time: '1969-12-31T23:59:59Z' }, 'invalid_click_time', 'click_time'],
  ["another project's app", { app_id: 'com.off' }, 'unknown_app', 'app_id'],
  ["another project's domain", { d: 'go.off.example' }, 'unknown_domain', 'd'],
  ["another project's campaign", { c: 'off1' }, 'unknown_campaign', 'c'],
  ['a campaign of another domain', { c: 'alt', d: 'go.acme.example' }, 'unknown_campaign', 'c'],
])('refuses a row with %s, and takes the good ones beside it', async (_, bad, reason, field) => {
  const clicks = [row(), typeof bad === 'object' && bad !== null && !Array.isArray(bad) ? row(bad) : bad, row()];
  expect(await send(clicks)).toEqual({ accepted: 2, rejected: [{ index: 1, reason, field }] });
});
