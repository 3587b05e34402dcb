/** Trials of S2S requests: they answer what the request itself is answered right after, and leave nothing behind. */
import fc from 'fast-check';
import {
  ACME,
  ENDPOINTS,
  NOTHING_ON,
  aim,
  countRecords,
  goodRequest,
  newTid,
  urlOf,
  type S2sRequest,
} from '../support/s2s-client';
import { anything, requestOf, sendable, type Anything } from '../support/s2s-random';
import { ADMIN_TOKEN, startService, type RunningService } from '../support/service';
import { startBeside } from '../support/shared-service';
import { OTHER_TOKEN, TOKEN, workspace } from '../support/workspace';

const REQUESTS = 2_000;
const BATCH = 100;

interface Trial {
  outcome: string;
  reason?: string;
  status: number;
  checks: { name: string; ok: boolean; detail?: string }[];
}

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
});
afterAll(() => service?.dispose());

async function tryAt(at: string, headers: HeadersInit, where = service): Promise<{ http: number; trial: Trial }> {
  const response = await where.request(at.replace('/v1/', '/v1/validate/'), { method: 'POST', headers });
  return { http: response.status, trial: (await response.json()) as Trial };
}

const tryOut = (request: S2sRequest, where = service) =>
  tryAt(urlOf(request), request.token === undefined ? {} : { 'X-Service-Token': request.token }, where);

const failed = ({ checks }: Trial) => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const detailOf = ({ checks }: Trial, name: string) => checks.find((check) => check.name === name)?.detail;

test(`of ${REQUESTS} random requests each is answered as its trial said`, async () => {
  const outcomes = new Set<string>();
  const compare = async (drawn: Anything) => {
    const { at, headers } = sendable(requestOf(drawn, newTid('trial')));
    const { http, trial } = await tryAt(at, headers);
    const response = await service.request(at, { headers });
    const body = (await response.json()) as { status: string; reason?: string };
    outcomes.add(trial.reason ?? trial.outcome);
    expect({ at, outcome: trial.outcome, reason: trial.reason, status: trial.status }).toEqual({
      at,
      outcome: body.status,
      reason: body.reason,
      status: response.status,
    });
    expect(http).toBe(trial.status === 401 ? 401 : 200);
    expect(failed(trial).length > 0).toBe(trial.outcome === 'rejected');
  };
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { minLength: BATCH, maxLength: BATCH, size: 'max' }), async (many) => {
      await Promise.all(many.map(compare));
    }),
    { numRuns: REQUESTS / BATCH, endOnFailure: true },
  );
  expect(outcomes.size).toBeGreaterThan(20);
});

test.each(ENDPOINTS)('%s: a good request passes every check, in the order of the contract', async (endpoint) => {
  const { http, trial } = await tryOut(goodRequest(endpoint));
  expect([http, trial.outcome, trial.status, trial.reason]).toEqual([200, 'accepted', 200, undefined]);
  const common = ['s2s_enabled', 'configuration', 'token', 'app', 'c', 'tid', 'value_length', 'macros'];
  const own = {
    click: ['device_ids', 'ip', 'device', 'click_time', 'campaign', 'partner_enabled'],
    impression: ['device_ids', 'device', 'ip', 'impression_time', 'vt_lookback'],
    ctv: ['ip', 'ua', 'impression_time', 'vt_lookback'],
  }[endpoint];
  const last = {
    click: [],
    impression: ['campaign', 'partner_enabled', 'view_through'],
    ctv: ['campaign', 'partner_enabled', 'view_through', 'ctv'],
  }[endpoint];
  expect(trial.checks.map(({ name }) => name)).toEqual([...common, ...own, ...last, 'campaign_limit']);
  expect(detailOf(trial, 'campaign')).toBe('Campaign AbC123 of project Acme Shop.');
});

test('shows every mistake at once, and leaves out what builds on one', async () => {
  const params = { gaid: 'x', tid: '', click_time: '1', s2: '{macro}' };
  const { trial } = await tryOut(goodRequest('click', params));
  expect([trial.reason, trial.status]).toEqual(['missing_tid', 400]);
  expect(failed(trial)).toEqual(['tid', 'macros', 'device_ids', 'click_time']);
  expect(trial.checks.map(({ name }) => name)).not.toContain('device');
  expect(detailOf(trial, 'macros')).toBe('s2 is "{macro}": a macro in it was not replaced.');
  expect(detailOf(trial, 'device_ids')).toBe('gaid is "x", which is no UUID with hyphens.');
});

test('a switch that is off names the project of a campaign that is the own one', async () => {
  const request = goodRequest('click');
  aim(request, NOTHING_ON);
  const { trial } = await tryOut(request);
  expect([trial.reason, trial.status, failed(trial)]).toEqual(['partner_not_enabled', 403, ['partner_enabled']]);
  expect(detailOf(trial, 'partner_enabled')).toBe('Project Nothing On has not switched on your clicks.');
});

test('tells nothing of what belongs to another partner, and something of what is over', async () => {
  const others = await tryOut({ ...goodRequest('click', { c: 'AbC123' }), token: OTHER_TOKEN });
  expect(others.trial.reason).toBe('unknown_campaign');
  expect(JSON.stringify(others.trial)).not.toMatch(/Acme Shop|Mobi|Launch/);
  const over = await tryOut(goodRequest('click', { c: 'inactive' }));
  expect(detailOf(over.trial, 'campaign')).toBe('Your campaign "inactive" there is inactive or deleted.');
});

test('without a good token nothing else is looked at, and the token is never repeated', async () => {
  for (const token of [undefined, 'wrong-token']) {
    const { http, trial } = await tryOut({ ...goodRequest('click'), token });
    expect([http, trial.status, trial.reason]).toEqual([401, 401, token ? 'invalid_token' : 'missing_token']);
    expect(trial.checks.map(({ name }) => name)).toEqual(['s2s_enabled', 'configuration', 'token']);
  }
  const long = { svc_token: `${TOKEN}${'x'.repeat(300)}` };
  const { trial } = await tryOut({ ...goodRequest('click', long), token: TOKEN });
  expect(trial.reason).toBe('value_too_long');
  expect(JSON.stringify(trial)).not.toContain(TOKEN);
});

test('takes POST only, in every form, with a body or without', async () => {
  const get = await service.request(urlOf(goodRequest('click')).replace('/v1/', '/v1/validate/'));
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  for (const form of ['path', 'query', 'domain'] as const)
    expect((await tryOut(goodRequest('ctv', {}, form))).trial.outcome).toBe('accepted');
  const response = await service.request(urlOf(goodRequest('click')).replace('/v1/', '/v1/validate/'), {
    method: 'POST',
    headers: { 'X-Service-Token': TOKEN },
    body: 'not JSON',
  });
  expect(response.status).toBe(200);
  expect((await service.request('/v1/validate/nothing', { method: 'POST' })).status).toBe(404);
});

test('stores nothing, and counts nothing', async () => {
  const metric = async () => {
    const response = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    return (await response.text()).split('\n').filter((line) => line.startsWith('adtrail_s2s_requests_total'));
  };
  const before = [await countRecords(service), await metric()];
  for (const endpoint of ENDPOINTS) {
    await tryOut(goodRequest(endpoint));
    await tryOut(goodRequest(endpoint, { tid: '' }));
  }
  expect([await countRecords(service), await metric()]).toEqual(before);
});

test('a campaign has as many points after trials as before, and a partner only so many trials', async () => {
  const other = await startBeside(service, { LIMIT_S2S_CAMPAIGN: '2/600s', LIMIT_VALIDATE: '8/600s' });
  try {
    for (let i = 0; i < 5; i++) expect((await tryOut(goodRequest('click'), other)).trial.outcome).toBe('accepted');
    const headers = { 'X-Service-Token': TOKEN };
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await other.request(urlOf(goodRequest('click')), { headers })).status);
    expect(statuses).toEqual([200, 200, 429]);
    const over = await tryOut(goodRequest('click'), other);
    expect([over.trial.reason, over.trial.status, failed(over.trial)]).toEqual([
      'rate_limited',
      429,
      ['campaign_limit'],
    ]);
    for (let i = 0; i < 2; i++) await tryOut(goodRequest('click'), other);
    const refused = await other.request(`/v1/validate/click/${ACME.app}?c=x`, { method: 'POST', headers });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await other.dispose();
  }
});
