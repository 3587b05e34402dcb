/** Batches that are tried out: each record's outcome in order, and nothing stored or counted (docs/contract/s2s.md). */
import type { Json } from '../../support/collect/collect-client';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('batch-trial');
const APP = 'com.batch.trial';

interface Trial {
  accepted: number;
  rejected: number;
  results: (Json & { outcome: string; reason?: string; detail?: string; status: number })[];
}

const post = (path: string, body: string, type: string, token = own('token')) =>
  service.request(path, {
    method: 'POST',
    headers: { 'X-Service-Token': token, 'Content-Type': type },
    body,
  });
const NDJSON = 'application/x-ndjson';
const record = (more: object) => ({ kind: 'click', app_id: APP, c: 'spring', tid: 't-1', ip: '203.0.113.7', ...more });
const RECORDS = [
  record({}),
  record({ tid: '__CALLBACK_PARAM__' }),
  record({ kind: 'impression' }),
  record({ kind: 'view' }),
  record({ c: 'nobody' }),
];
const lines = (records: readonly object[]) => records.map((one) => JSON.stringify(one)).join('\n');

let partner: number;
const readTotals = async () => {
  const day = new Date().toISOString().slice(0, 10);
  const { body } = await service.admin('GET', `/partners/${partner}/traffic?from=${day}&to=${day}`);
  return body.totals as Json;
};

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      partners: [{ name: 'Mobi', tokens: ['token'] }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          apps: [{ platform: 'ANDROID', app_id: APP }],
          partner_switches: [{ partner: 'Mobi', s2s_clicks: true }],
          campaigns: [{ display_id: 'spring', name: 'Spring', partner: 'Mobi' }],
        },
      ],
    }),
  );
  partner = await idByName(service, 'partners', own('Mobi'));
}, 60_000);

test('each record in its order, with the words of the check that fails; an array as lines', async () => {
  const answer = (await (await post('/v1/validate/batch', lines(RECORDS), NDJSON)).json()) as Trial;
  expect([answer.accepted, answer.rejected]).toEqual([1, 4]);
  expect(answer.results.map(({ outcome, reason, status }) => [outcome, reason, status])).toEqual([
    ['accepted', undefined, 200],
    ['rejected', 'unreplaced_macro', 400],
    ['rejected', 'missing_device_id', 400],
    ['rejected', 'invalid_record', 400],
    ['rejected', 'unknown_campaign', 400],
  ]);
  expect(answer.results[1]?.detail).toContain('__CALLBACK_PARAM__ is a macro of TikTok');
  const array = await post('/v1/validate/batch', JSON.stringify(RECORDS), 'application/json');
  expect(await array.json()).toEqual(answer);
});

test('the reasons are those of the batch itself, which counts', async () => {
  const tried = (await (await post('/v1/validate/batch', lines(RECORDS), NDJSON)).json()) as Trial;
  expect(await readTotals()).toMatchObject({ clicks: 0, refused: {} });
  const sent = (await (await post('/v1/batch', lines(RECORDS), NDJSON)).json()) as Trial;
  expect(sent.results.map(({ reason }) => reason)).toEqual(tried.results.map(({ reason }) => reason));
  const counted = await eventually('the batch is counted', async () => {
    const totals = await readTotals();
    return totals.clicks === 1 && Object.keys(totals.refused as Json).length > 0 ? totals : undefined;
  });
  expect(counted.refused).toEqual({ unreplaced_macro: 1, missing_device_id: 1, unknown_campaign: 1 });
});

test('is bounded, and needs a token', async () => {
  const many = lines(Array.from({ length: 1_001 }, (_, at) => record({ tid: `t-${at}` })));
  const tooMany = await post('/v1/validate/batch', many, NDJSON);
  expect([tooMany.status, await tooMany.json()]).toEqual([
    413,
    { msg: 'A batch takes at most 1000 records.', status: 413 },
  ]);
  expect((await post('/v1/validate/batch', 'x'.repeat(1_100_000), NDJSON)).status).toBe(413);
  expect((await post('/v1/validate/batch', '[', 'application/json')).status).toBe(400);
  expect((await post('/v1/validate/batch', lines(RECORDS), NDJSON, 'wrong')).status).toBe(401);
  expect((await service.request('/v1/validate/batch')).status).toBe(405);
});
