/** Trials of S2S requests: what they say of every check; test/unit/s2s/s2s-property.test.ts holds answers to them. */
import {
  ACME,
  ENDPOINTS,
  FORMS,
  NOTHING_ON,
  accept,
  goodRequest,
  makeHeaders,
  makeUrl,
  type S2sRequest,
} from '../../support/s2s/s2s-client';
import { words } from '../../support/s2s/s2s-cases';
import { createPipeline } from '../../support/s2s/s2s-pipeline';
import { OTHER_TOKEN, TOKEN } from '../../support/workspace/workspace';

interface Trial {
  outcome: string;
  reason?: string;
  status: number;
  checks: { name: string; ok: boolean; detail?: string }[];
}

const s2s = createPipeline();

async function tryOut(request: S2sRequest, where = s2s): Promise<{ http: number; trial: Trial }> {
  const at = makeUrl(request).replace('/v1/', '/v1/validate/');
  const { status, body } = await where.ask(at, makeHeaders(request), 'POST');
  return { http: status, trial: body as unknown as Trial };
}
const tryClick = async (params: Record<string, string>) => (await tryOut(goodRequest('click', params))).trial;
const failed = ({ checks }: Trial) => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const readDetail = ({ checks }: Trial, name: string) => checks.find((check) => check.name === name)?.detail;

test.each(ENDPOINTS)('%s: a good request passes every check, in the order of the contract', async (endpoint) => {
  const own = {
    click: 'device_ids ip device click_time campaign partner_enabled',
    impression: 'device_ids device ip impression_time vt_lookback campaign partner_enabled view_through',
    ctv: 'ip ua impression_time vt_lookback campaign partner_enabled view_through ctv',
  }[endpoint];
  const names = words(`s2s_enabled configuration token app c tid value_length macros ${own} campaign_limit`);
  for (const form of FORMS) {
    const { http, trial } = await tryOut(goodRequest(endpoint, {}, form));
    expect([http, trial.outcome, trial.status, trial.reason]).toEqual([200, 'accepted', 200, undefined]);
    expect(trial.checks.map(({ name }) => name)).toEqual(names);
    expect(readDetail(trial, 'campaign')).toBe('Campaign AbC123 of project Acme Shop.');
  }
});

test('shows every mistake at once, and leaves out what builds on one', async () => {
  const trial = await tryClick({ gaid: 'x', tid: '', click_time: '1', s2: '{macro}' });
  expect([trial.reason, trial.status]).toEqual(['missing_tid', 400]);
  expect(failed(trial)).toEqual(['tid', 'macros', 'device_ids', 'click_time']);
  expect(trial.checks.map(({ name }) => name)).not.toContain('device');
  expect(readDetail(trial, 'macros')).toBe('s2 is "{macro}": a macro in it was not replaced.');
  expect(readDetail(trial, 'device_ids')).toBe('gaid is "x", which is no UUID with hyphens.');
});

test.each([
  ['tid', '__CLICKID__'],
  ['s2', '[CLICK_ID]'],
  ['s3', '%%AD_ID%%'],
  ['ua', '<UA>'],
  ['ip', '$IP$'],
])('a macro of another form: %s=%s', async (name, value) => {
  const trial = await tryClick({ [name]: value, note: '{ignored}' });
  expect([trial.reason, trial.status]).toEqual(['unreplaced_macro', 400]);
  expect(readDetail(trial, 'macros')).toBe(`${name} is "${value}": a macro in it was not replaced.`);
});

test('a switch that is off names the project of a campaign that is the own one', async () => {
  const { trial } = await tryOut(goodRequest('click', {}, 'query', NOTHING_ON));
  expect([trial.reason, trial.status, failed(trial)]).toEqual(['partner_not_enabled', 403, ['partner_enabled']]);
  expect(readDetail(trial, 'partner_enabled')).toBe('Project Nothing On has not switched on your clicks.');
});

test('tells nothing of what belongs to another partner, and something of what is over', async () => {
  const { trial } = await tryOut({ ...goodRequest('click', { c: 'AbC123' }), token: OTHER_TOKEN });
  expect(trial.reason).toBe('unknown_campaign');
  expect(JSON.stringify(trial)).not.toMatch(/Acme Shop|Mobi|Launch/);
  const over = await tryClick({ c: 'inactive' });
  expect(readDetail(over, 'campaign')).toBe('Your campaign "inactive" there is inactive or deleted.');
});

test('without a good token nothing else is looked at, and the token is never repeated', async () => {
  for (const token of [undefined, 'wrong-token']) {
    const { http, trial } = await tryOut({ ...goodRequest('click'), token });
    expect([http, trial.status, trial.reason]).toEqual([401, 401, token ? 'invalid_token' : 'missing_token']);
    expect(trial.checks.map(({ name }) => name)).toEqual(['s2s_enabled', 'configuration', 'token']);
  }
  const trial = await tryClick({ svc_token: `${TOKEN}${'x'.repeat(300)}` });
  expect(trial.reason).toBe('value_too_long');
  expect(JSON.stringify(trial)).not.toContain(TOKEN);
});

test('takes POST only, at the paths of the endpoints', async () => {
  const at = makeUrl(goodRequest('click')).replace('/v1/', '/v1/validate/');
  const { status, headers } = await s2s.ask(at, { 'X-Service-Token': TOKEN });
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  expect((await s2s.ask('/v1/validate/nothing', {}, 'POST')).status).toBe(404);
});

test('stores nothing, counts nothing, and takes no point of the campaign', async () => {
  const limited = createPipeline({ limit: 2 });
  const before = await limited.metrics();
  for (const endpoint of ENDPOINTS)
    for (const params of [{}, { tid: '' }, {}]) await tryOut(goodRequest(endpoint, params), limited);
  expect([limited.stored, limited.counted]).toEqual([{ click: [], impression: [], ctv: [] }, []]);
  expect(await limited.metrics()).toBe(before);
  for (let i = 0; i < 2; i++) await accept(limited, goodRequest('click'));
  expect((await limited.ask(makeUrl(goodRequest('click')), { 'X-Service-Token': TOKEN })).status).toBe(429);
  const { trial } = await tryOut(goodRequest('ctv', {}, 'path', ACME), limited);
  expect([trial.reason, trial.status, failed(trial)]).toEqual(['rate_limited', 429, ['campaign_limit']]);
});
