/**
 * S2S over HTTP: what is stored, what is refused, repeats, and changes of the configuration. What an answer depends on
 * is tested in test/unit/s2s-*.test.ts, limits in ./limits.test.ts, and how requests may arrive in ./s2s-http.test.ts.
 */
import { ownNames } from '../../support/workspace/own-names';
import { MISTAKES, orderedMistakes, spoilt } from '../../support/s2s/s2s-cases';
import {
  ACME,
  ENDPOINTS,
  FORMS,
  PUBLIC_IP,
  TIME_FIELDS,
  UA,
  VIEWS,
  accept,
  goodRequest,
  idByName,
  newTid,
  readOutcome,
  overHttp,
  reject,
  readRow,
  makeUrl,
  type Form,
  type S2sRequest,
} from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { GAID, IDFA, TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('s2s');
const s2s = overHttp(service, own);
/** What every request begins its tid with that is to be refused. */
const REFUSED = { tid: 's2s-refused' };

const campaign = (display_id: string, partner: string) => ({ display_id, name: display_id, partner });
const ROTATION = { app: 'com.rota', domain: 'go.rota.example', c: 'rota' };
const CHANGING = { app: 'com.changing', domain: 'go.changing.example', c: 'change' };
const more = {
  partners: ['rota', 'quit', 'idle'].map((name) => ({ name, tokens: [`token-of-${name}`] })),
  projects: [
    {
      name: 'Rotation',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: ROTATION.app }],
      partner_switches: ['rota', 'quit', 'idle'].map((partner) => ({ partner, s2s_clicks: true })),
      campaigns: ['rota', 'quit', 'idle'].map((name) => campaign(name, name)),
    },
    {
      name: 'Changing',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: CHANGING.app }],
      domains: [{ name: CHANGING.domain }],
      campaigns: [campaign('change', 'Mobi Ads')],
    },
    {
      name: 'Bare Number',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'IOS', app_id: '777000999' }],
      partner_switches: [
        { partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: ['777000999'] },
      ],
      campaigns: [campaign('bare', 'Mobi Ads')],
    },
  ],
};
const apply = (document: object) => service.apply(own.document(document));

beforeAll(async () => {
  await apply(workspace);
  await apply(more);
});

const readAnswer = (request: S2sRequest) => readOutcome(s2s, request);

/** Columns of other ways in, and of what was not sent, are empty. */
const filled = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));

describe('accepted', () => {
  const ODD = ` \u00e9\u4e2d\u{1F600}'"\\N\0<%7B+&=;`;

  test.each(ENDPOINTS.flatMap((endpoint) => FORMS.map((form) => [endpoint, form] as const)))(
    '%s by %s: the view has the record, every value of it, and nothing else',
    async (endpoint, form) => {
      const at = Date.now() - 3_600_000;
      const device = endpoint !== 'ctv' && { gaid: GAID.toUpperCase(), idfa: IDFA };
      const texts = { s2: `2${ODD}`, s3: `3${ODD}`, s4: `4${ODD}`, ...(endpoint !== 'ctv' && { ua: UA }) };
      const names = 'partner_campaign_id adset_id ad_id site_id source_platform device_category tv_ifa ifa_type';
      const tv = Object.fromEntries(
        names.split(' ').map((name) => [name, endpoint === 'ctv' ? name + ODD : undefined]),
      );
      const tid = newTid('s2s-all') + ODD;
      const window = endpoint !== 'click' && { vt_lookback: '6h' };
      const sent = { tid, ...texts, ...device, ...tv, ...window, ip: '1.2.4.8', [TIME_FIELDS[endpoint]]: String(at) };
      const before = Date.now();
      const id = await accept(s2s, goodRequest(endpoint, { ...sent, redirect: 'gone' }, form));
      const { received_at: received, bucket, ...row } = await readRow(s2s, endpoint, id);
      const instant = Date.parse(`${String(received).replace(' ', 'T')}Z`);
      expect(instant).toBeGreaterThanOrEqual(before);
      expect(instant).toBeLessThanOrEqual(Date.now());
      expect(bucket).toBe(String(received).slice(0, 10));
      expect(filled(row)).toEqual(
        filled({
          [endpoint === 'click' ? 'click_id' : 'impression_id']: id,
          [TIME_FIELDS[endpoint]]: new Date(at).toISOString().replace('T', ' ').slice(0, -1),
          project_id: await idByName(service, 'projects', own('Acme Shop')),
          partner_id: await idByName(service, 'partners', own('Mobi Ads')),
          partner_name: own('Mobi Ads'),
          campaign_id: expect.any(Number) as number,
          campaign_display_id: 'AbC123',
          campaign_name: 'Campaign AbC123',
          app_id: form === 'domain' ? '' : ACME.app,
          d: form === 'domain' ? own(ACME.domain) : '',
          tid,
          ...texts,
          ua: UA,
          ip: '1.2.4.8',
          country: 'CN',
          device_type: 'tv',
          os_name: 'Tizen',
          ...(device && { gaid: GAID, idfa: IDFA }),
          ...(endpoint === 'click' && { kind: 's2s' }),
          ...(endpoint !== 'click' && { vt_lookback: 6 }),
          ...(endpoint === 'ctv' && { ...tv, datacenter_list: expect.stringMatching(/\S/) as string }),
        }),
      );
    },
  );
});

test.each(ENDPOINTS)('%s: an App Store app is found with id or without, however the project lists it', async (on) => {
  for (const app of ['777000999', 'id777000999']) {
    const id = await accept(s2s, goodRequest(on, {}, 'path', { app, domain: '', c: 'bare' }));
    expect(await readRow(s2s, on, id)).toMatchObject({ app_id: 'id777000999' });
  }
});

describe('refused', () => {
  test.each(ENDPOINTS)('%s: each reason, in documented words, and nothing of it is stored', async (endpoint) => {
    const reasons = [
      ...new Set(MISTAKES.filter((one) => one.endpoints.includes(endpoint)).map(({ reason }) => reason)),
    ];
    for (const [i, reason] of reasons.entries()) {
      const forms = FORMS.filter((form) => orderedMistakes(endpoint, form).some((one) => one.reason === reason));
      const form = forms[i % forms.length] as Form;
      const mistake = orderedMistakes(endpoint, form).find((one) => one.reason === reason);
      const { headers } = await reject(
        s2s,
        spoilt(s2s, endpoint, form, mistake ? [mistake] : [], REFUSED),
        mistake?.status ?? 0,
        reason,
      );
      for (const name of ['location', 'retry-after']) expect(headers.get(name)).toBeNull();
    }
    // In the table under the view too: nothing hides behind FINAL.
    for (const table of [VIEWS[endpoint], VIEWS[endpoint].replace('analytics', 'adtrail')])
      expect(await service.rows(`SELECT tid FROM ${table} WHERE tid = '${REFUSED.tid}'`)).toEqual([]);
  });

  test('no token is in the log or the metrics', async () => {
    const response = await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    const metrics = await response.text();
    expect(metrics).toContain('outcome="missing_token"');
    for (const text of [metrics, service.output()])
      for (const token of ['wrong-token', 'token-of-mobi-ads', 'token-of-suspended-ads'])
        expect(text).not.toContain(token === 'wrong-token' ? token : own(token));
  });
});

describe('repeats', () => {
  test.each(ENDPOINTS)('%s: one that is good changes nothing, and one that is wrong is refused', async (endpoint) => {
    const tid = newTid('s2s-repeat');
    const time = (ago: number) => ({ [TIME_FIELDS[endpoint]]: String(Date.now() - ago) });
    const id = await accept(s2s, goodRequest(endpoint, { tid, s2: 'first', ip: PUBLIC_IP, ...time(1000) }));
    const row = await readRow(s2s, endpoint, id);
    const other = { tid, s2: 'second', s3: 'new', ip: '198.51.100.9', ua: 'second', ...time(5000) };
    for (const form of FORMS)
      expect(await accept(s2s, goodRequest(endpoint, other, form, { ...ACME, domain: 'alt.acme.example' }))).toBe(id);
    await reject(s2s, goodRequest(endpoint, { tid, s2: '{s2}' }), 400, 'unreplaced_macro');
    expect(await readRow(s2s, endpoint, id)).toEqual(row);
    expect(row).toMatchObject({ tid, s2: 'first', s3: '' });
  });

  test.each(ENDPOINTS)('%s: 50 at once give one ID and one row, which is one of them and stays', async (endpoint) => {
    const tid = newTid('s2s-parallel');
    const sent = Array.from({ length: 50 }, (_, i) => ({ tid, s2: `s2-${i}`, s3: `s3-${i}`, ua: `ua-${i}` }));
    const ids = await Promise.all(
      sent.map((params, i) => accept(s2s, goodRequest(endpoint, params, FORMS[i % 3] as Form))),
    );
    expect(new Set(ids).size).toBe(1);
    const row = await readRow(s2s, endpoint, ids[0] as string);
    expect(sent).toContainEqual({ tid, s2: row.s2, s3: row.s3, ua: row.ua });
    expect(await accept(s2s, goodRequest(endpoint, { tid, s2: 'late' }))).toBe(ids[0]);
    expect(await service.rows(`SELECT * FROM ${VIEWS[endpoint]} WHERE tid = '${tid}'`)).toEqual([row]);
  });

  test('200 different ones at once are 200 records', async () => {
    const tids = Array.from({ length: 200 }, () => newTid('s2s-many'));
    await Promise.all(tids.map((tid) => accept(s2s, goodRequest('click', { tid }))));
    const rows = await service.rows<{ tid: string }>(
      "SELECT tid FROM analytics.clicks WHERE startsWith(tid, 's2s-many')",
    );
    expect(rows.map(({ tid }) => tid).sort()).toEqual(tids.sort());
  });
});

describe('changes are in force before administration answers', () => {
  test('switches, one by one', async () => {
    const projectId = await idByName(service, 'projects', own('Changing'));
    const partnerId = await idByName(service, 'partners', own('Mobi Ads'));
    const off = '403 partner_not_enabled';
    const [noView, noCtv] = ['403 view_through_disabled', '403 ctv_not_enabled'];
    const steps: readonly (readonly [object, unknown[]])[] = [
      [{ s2s_clicks: false }, [off, off, off, off]],
      [{ s2s_clicks: true }, ['accepted', off, off, off]],
      [{ s2s_traffic: true }, ['accepted', noView, noView, noView]],
      [{ view_through: true }, ['accepted', 'accepted', noCtv, noCtv]],
      [{ ctv_apps: [CHANGING.app] }, ['accepted', 'accepted', 'accepted', 'accepted']],
      [{ view_through: false }, ['accepted', noView, noView, noView]],
      [{ s2s_traffic: false }, ['accepted', off, off, off]],
      [{ s2s_clicks: false, s2s_traffic: true, view_through: true, ctv_apps: [] }, [off, 'accepted', noCtv, noCtv]],
    ];
    for (const [switches, outcomes] of steps) {
      const { status } = await service.admin('PUT', `/projects/${projectId}/partners/${partnerId}`, switches);
      expect(status).toBe(200);
      const requests = [
        ...ENDPOINTS.map((endpoint) => goodRequest(endpoint, {}, 'query', CHANGING)),
        goodRequest('ctv', {}, 'domain', CHANGING),
      ];
      expect(await Promise.all(requests.map((request) => readAnswer(request)))).toEqual(outcomes);
    }
  });

  const click = (token: string, c: string) => ({
    ...goodRequest('click', {}, 'query', { ...ROTATION, c }),
    token: token.startsWith('token-of-') ? own(token) : token,
  });

  test('a campaign switched off and on again, a partner suspended and active again', async () => {
    const [rotation] = more.projects;
    for (const isOn of [true, false, true]) {
      const campaigns = [{ display_id: 'idle', name: 'idle', active: isOn }];
      await apply({ projects: [{ ...rotation, campaigns }] });
      expect(await readAnswer(click('token-of-idle', 'idle'))).toBe(isOn ? 'accepted' : '400 unknown_campaign');
    }
    for (const status of ['suspended', 'active']) {
      await apply({ partners: [{ name: 'idle', status, tokens: ['token-of-idle'] }] });
      expect(await readAnswer(click('token-of-idle', 'idle'))).toBe(
        status === 'active' ? 'accepted' : '401 invalid_token',
      );
    }
  });

  test('a rotated token works on for a day, its successor at once, and neither a moment after revocation', async () => {
    const at = `/partners/${await idByName(service, 'partners', own('rota'))}/tokens`;
    const tokens = ['token-of-rota'];
    for (let i = 0; i < 2; i++) {
      const before = Date.now();
      const { status, body } = await service.admin('POST', at);
      expect([status, Object.keys(body).sort()]).toEqual([201, ['former_valid_until', 'token']]);
      const until = Date.parse(String(body.former_valid_until)) - 86_400_000;
      expect(until).toBeGreaterThanOrEqual(before);
      expect(until).toBeLessThanOrEqual(Date.now());
      tokens.push(String(body.token));
      for (const token of tokens) expect(await readAnswer(click(token, 'rota'))).toBe('accepted');
    }
    expect(new Set(tokens).size).toBe(3);
    expect((await service.admin('DELETE', at)).status).toBe(204);
    const { status, body } = await service.admin('POST', at);
    expect([status, body.former_valid_until]).toEqual([201, null]);
    expect(await readAnswer(click(String(body.token), 'rota'))).toBe('accepted');
    for (const token of tokens) expect(await readAnswer(click(token, 'rota'))).toBe('401 invalid_token');
  });

  test('revocation touches no other partner, and applying the workspace again does not undo it', async () => {
    expect(await readAnswer(click('token-of-quit', 'quit'))).toBe('accepted');
    await service.admin('DELETE', `/partners/${await idByName(service, 'partners', own('quit'))}/tokens`);
    expect(await readAnswer(click('token-of-quit', 'quit'))).toBe('401 invalid_token');
    expect(await readAnswer(click('token-of-idle', 'idle'))).toBe('accepted');
    expect((await apply({ partners: [more.partners[1]] })).skipped).toHaveLength(1);
    expect(await readAnswer(click('token-of-quit', 'quit'))).toBe('401 invalid_token');
  });
});

test('a trial answers over HTTP, with a body or without, as documented', async () => {
  const at = makeUrl(goodRequest('click'), s2s.own).replace('/v1/', '/v1/validate/');
  const headers = { 'X-Service-Token': own(TOKEN) };
  for (const body of [undefined, 'not JSON']) {
    const response = await service.request(at, { method: 'POST', headers, ...(body && { body }) });
    expect([response.status, await response.json()]).toMatchObject([200, { outcome: 'accepted', status: 200 }]);
  }
  expect((await s2s.ask(at, {}, 'POST')).status).toBe(401);
  expect((await s2s.ask(at)).status).toBe(405);
});
