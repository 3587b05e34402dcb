/** A batch beside the requests of its records, on the engines: the same IDs, each stored once, counted alike. */
import { gzipSync } from 'node:zlib';
import { newTid, PUBLIC_IP, UA, VIEWS } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';
import { GAID, OTHER_TOKEN, TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('s2s-batch');
beforeAll(() => service.apply(own.document(workspace)));

interface Result {
  readonly status: string;
  readonly click_id?: string;
  readonly impression_id?: string;
  readonly reason?: string;
}

async function send(records: readonly object[], token = TOKEN): Promise<readonly Result[]> {
  const response = await service.request('/v1/batch', {
    method: 'POST',
    headers: { 'X-Service-Token': own(token), 'Content-Encoding': 'gzip' },
    body: gzipSync(records.map((one) => JSON.stringify(one)).join('\n')),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { results: Result[] }).results;
}

const target = { d: own('go.acme.example'), c: 'AbC123' };
const records = (tid: string) => [
  { kind: 'click', ...target, tid, gaid: GAID, s2: 'first' },
  { kind: 'impression', ...target, tid, gaid: GAID },
  { kind: 'ctv_impression', ...target, tid, ip: PUBLIC_IP, ua: UA, af_siteid: 'channel 5' },
];

test('records of a batch have the IDs of their requests, are stored once, and repeats change nothing', async () => {
  const tid = newTid('batch');
  const first = await send(records(tid));
  expect(first.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
  const [click, impression, tv] = first.map((one) => one.click_id ?? one.impression_id);

  const query = new URLSearchParams({ ...target, tid, gaid: GAID, s2: 'second' });
  const single = await service.request(`/v1/click?${query.toString()}`, { headers: { 'X-Service-Token': own(TOKEN) } });
  expect(await single.json()).toEqual({ status: 'accepted', click_id: click });
  expect(await send([...records(tid), ...records(tid)])).toEqual([...first, ...first]);

  const read = (view: string) =>
    eventually('its campaign is known to ClickHouse', async () => {
      const rows = await service.rows<Record<string, unknown>>(
        `SELECT * FROM ${view} WHERE tid = '${tid}' AND campaign_display_id = 'AbC123'`,
      );
      return rows.length > 0 ? rows : undefined;
    });
  expect(await read(VIEWS.click)).toMatchObject([{ click_id: click, s2: 'first' }]);
  expect(await read(VIEWS.impression)).toMatchObject([{ impression_id: impression }]);
  expect(await read(VIEWS.ctv)).toMatchObject([{ impression_id: tv, site_id: 'channel 5' }]);
});

test("another partner's batch reaches no campaign of this one, and is counted by partner and reason", async () => {
  const tid = newTid('batch-other');
  const outcomes = await send([...records(tid), { kind: 'nothing' }], OTHER_TOKEN);
  expect(outcomes.map(({ reason }) => reason)).toEqual([
    'unknown_campaign',
    'unknown_campaign',
    'unknown_campaign',
    'invalid_record',
  ]);
  expect(await service.rows(`SELECT tid FROM ${VIEWS.click} WHERE tid = '${tid}'`)).toEqual([]);
  const list = await service.request('/admin/v1/partners', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  const { partners } = (await list.json()) as { partners: { id: number; name: string }[] };
  const sender = partners.find(({ name }) => name === own('Other Ads'))?.id ?? 0;
  await eventually('the refusals are counted', async () => {
    const counts = await service.rows(
      `SELECT DISTINCT kind FROM adtrail.s2s_requests
       WHERE outcome = 'unknown_campaign' AND partner_id = ${sender}`,
    );
    return counts.length === 3 ? true : undefined;
  });
});
