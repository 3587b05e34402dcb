/** Counts of S2S requests: over several processes, and over an end of the service. */
import { goodRequest, send, type S2sRequest } from '../support/s2s-client';
import { eventually, startService, type RunningService } from '../support/service';
import { workspace } from '../support/workspace';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ WORKERS: '2' });
  await service.apply(workspace);
});
afterAll(() => service?.dispose());

/** The counts by endpoint and outcome, and how many processes have counted. */
async function counted(): Promise<{ counts: Record<string, number>; processes: number }> {
  const rows = await service.rows<{ what: string; requests: number; processes: string[] }>(
    `SELECT concat(kind, ' ', outcome) AS what, toUInt32(sum(requests)) AS requests,
       groupUniqArray(toString(process)) AS processes
     FROM adtrail.s2s_requests FINAL GROUP BY what`,
  );
  return {
    counts: Object.fromEntries(rows.map(({ what, requests }) => [what, requests])),
    processes: new Set(rows.flatMap(({ processes }) => processes)).size,
  };
}

/** Sends requests at once. */
async function sendAll(times: number, request: () => S2sRequest): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => send(service, request())));
}

test('every request counts once, whichever process took it, and also where the service ends soon after', async () => {
  await sendAll(40, () => goodRequest('click', { tid: 'the same' }));
  await sendAll(20, () => goodRequest('ctv', { ip: '10.0.0.1' }));
  await sendAll(10, () => ({ ...goodRequest('click'), token: 'wrong' }));
  const first = { 'click accepted': 40, 'ctv_impression invalid_ip': 20, 'click invalid_token': 10 };
  await eventually('all are counted', async () => {
    const { counts } = await counted();
    return JSON.stringify(Object.entries(counts).sort()) === JSON.stringify(Object.entries(first).sort())
      ? true
      : undefined;
  });
  await sendAll(5, () => goodRequest('impression'));
  expect(await service.stop()).toBe(0);
  await service.restart();
  await sendAll(5, () => goodRequest('impression'));
  await eventually('those before and after the restart are counted', async () =>
    (await counted()).counts['impression accepted'] === 10 ? true : undefined,
  );
  expect((await counted()).counts).toEqual({ ...first, 'impression accepted': 10 });
  expect((await counted()).processes).toBeGreaterThan(1);
});

test('counts tell nothing of a request but what it was for', async () => {
  const columns = await service.rows<{ name: string; comment: string }>(
    `SELECT name, comment FROM system.columns WHERE database = 'adtrail' AND table = 's2s_requests'`,
  );
  expect(columns.filter(({ comment }) => !comment.endsWith('[none]'))).toEqual([]);
  const rows = await service.rows(
    `SELECT DISTINCT project_id > 0 AS has_project, campaign_id > 0 AS has_campaign, partner_id > 0 AS has_partner
     FROM adtrail.s2s_requests FINAL WHERE outcome = 'invalid_token'`,
  );
  expect(rows).toEqual([{ has_project: 0, has_campaign: 0, has_partner: 0 }]);
});
