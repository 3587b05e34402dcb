/** Every row of "S2S rejections": status, exact body, the order of the checks, and that nothing of it is stored. */
import fs from 'node:fs';
import path from 'node:path';
import { MISTAKES, applies, generator, orderedMistakes, type Mistake } from '../support/s2s-cases';
import {
  ACME,
  ENDPOINTS,
  FORMS,
  ID_FIELDS,
  NO_CTV,
  NOTHING_ON,
  PUBLIC_IP,
  TRAFFIC_ONLY,
  VIEWS,
  accept,
  aim,
  changePostgres,
  countRecords,
  eventuallyRejected,
  get,
  goodRequest,
  idByName,
  newTid,
  reject,
  rowOf,
  send,
  setSwitches,
  urlOf,
  type Endpoint,
  type Form,
} from '../support/s2s-client';
import { ADMIN_TOKEN, startService, temporaryFolder, type RunningService } from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

/** What these tests change as they go: partners and projects that no other test looks at. */
const more = {
  partners: [
    { name: 'Rota Ads', tokens: ['token-of-rota-ads-1'] },
    { name: 'Quit Ads', tokens: ['token-of-quit-ads'] },
    { name: 'Idle Ads', tokens: ['token-of-idle-ads'] },
  ],
  projects: [
    {
      name: 'Rotation',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.rota' }],
      domains: [{ name: 'go.rota.example' }],
      partner_switches: ['Rota Ads', 'Quit Ads', 'Idle Ads'].map((partner) => ({
        partner,
        s2s_clicks: true,
        s2s_traffic: true,
        view_through: true,
        ctv_apps: ['com.rota'],
      })),
      campaigns: [
        { display_id: 'rota', name: 'Rota', partner: 'Rota Ads' },
        { display_id: 'quit', name: 'Quit', partner: 'Quit Ads' },
        { display_id: 'idle', name: 'Idle', partner: 'Idle Ads' },
      ],
    },
    {
      name: 'Both Spellings',
      account: 'Acme',
      timezone: 'UTC',
      domains: [{ name: 'go.spellings.example' }],
      apps: [{ platform: 'IOS', app_id: '555000111' }],
      partner_switches: [
        { partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: ['555000111'] },
      ],
      campaigns: [{ display_id: 'spelt', name: 'Spelt', partner: 'Mobi Ads' }],
    },
    {
      name: 'Changing',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.changing' }],
      domains: [{ name: 'go.changing.example' }],
      campaigns: [
        { display_id: 'change', name: 'Change', partner: 'Mobi Ads' },
        { display_id: 'toggle', name: 'Toggle', partner: 'Mobi Ads' },
        { display_id: 'deleted', name: 'Deleted', partner: 'Mobi Ads' },
      ],
    },
  ],
};
const ROTATION = { app: 'com.rota', domain: 'go.rota.example', c: 'rota' };
const CHANGING = { app: 'com.changing', domain: 'go.changing.example', c: 'change' };

let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  const ranges = path.join(folder, 'ranges');
  fs.writeFileSync(ranges, '198.51.100.64/26\n');
  service = await startService({ DATACENTER_RANGES: ranges });
  await service.apply(workspace);
  await service.apply(more);
});
afterAll(async () => {
  await service?.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Every request of these tests that may be rejected carries such a tid, and no accepted one does. */
const rejectable = (endpoint: Endpoint, form: Form) => goodRequest(endpoint, { tid: newTid('rejected') }, form);

describe.each(ENDPOINTS)('%s: every rejection', (endpoint) => {
  const rows = FORMS.flatMap((form) =>
    MISTAKES.filter((mistake) => applies(mistake, endpoint, form)).map(
      (mistake) => [mistake.reason, mistake.name, form, mistake] as const,
    ),
  );
  const reasons = [...new Set(rows.map(([reason]) => reason))];

  it.each(reasons)('%s', async (reason) => {
    const cases = rows.filter((one) => one[0] === reason);
    expect(cases.length).toBeGreaterThan(0);
    for (const [, name, form, mistake] of cases) {
      const request = rejectable(endpoint, form);
      mistake.spoil(request);
      const { status, body, headers } = await send(service, request);
      expect({ name, form, status, body, retryAfter: headers.get('retry-after') }).toEqual({
        name,
        form,
        status: mistake.status,
        body: { status: 'rejected', reason },
        retryAfter: null,
      });
    }
  });

  it('has a case for every reason of the table that this endpoint can give', () => {
    const all = [
      'missing_token',
      'invalid_token',
      'missing_app',
      'missing_c',
      'missing_tid',
      'value_too_long',
      'unreplaced_macro',
      'unknown_app',
      'unknown_domain',
      'unknown_campaign',
      'ambiguous_app',
      'partner_not_enabled',
    ];
    const own = {
      click: ['invalid_device_id', 'missing_device_id', 'invalid_click_time', 'click_too_old'],
      impression: [
        'invalid_device_id',
        'missing_device_id',
        'invalid_impression_time',
        'impression_too_old',
        'invalid_viewthrough_lookback',
        'view_through_disabled',
      ],
      ctv: [
        'missing_ip',
        'invalid_ip',
        'datacenter_ip',
        'missing_ua',
        'invalid_impression_time',
        'impression_too_old',
        'invalid_viewthrough_lookback',
        'view_through_disabled',
        'ctv_not_enabled',
      ],
    };
    expect([...reasons].sort()).toEqual([...all, ...own[endpoint]].sort());
  });
});

describe('the order of the checks', () => {
  it.each(ENDPOINTS.flatMap((endpoint) => FORMS.map((form) => [endpoint, form] as const)))(
    '%s by %s: of any two mistakes the earlier is the answer',
    async (endpoint, form) => {
      const mistakes = orderedMistakes(endpoint, form);
      expect(mistakes.length).toBeGreaterThan(12);
      for (const [i, earlier] of mistakes.entries()) {
        for (const later of mistakes.slice(i + 1)) await expectEarlier([earlier, later], endpoint, form);
      }
    },
  );

  it('random pairs and triples of all cases answer with the earliest', async () => {
    const order = [...new Set(MISTAKES.map(({ reason }) => reason))];
    const random = generator(20_260_101);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    for (let i = 0; i < 1_500; i++) {
      const [endpoint, form] = [pick(ENDPOINTS), pick(FORMS)];
      const candidates = MISTAKES.filter((mistake) => applies(mistake, endpoint, form));
      const mistakes = [pick(candidates), pick(candidates), ...(i % 2 ? [pick(candidates)] : [])].sort(
        (a, b) => order.indexOf(a.reason) - order.indexOf(b.reason),
      );
      await expectEarlier(mistakes, endpoint, form);
    }
  });

  /** Applies the mistakes from the last to the first, so that the earliest stands whatever the others did. */
  async function expectEarlier(mistakes: readonly Mistake[], endpoint: Endpoint, form: Form): Promise<void> {
    const request = rejectable(endpoint, form);
    for (const mistake of [...mistakes].reverse()) mistake.spoil(request);
    const { status, body } = await send(service, request);
    const names = mistakes.map(({ reason, name }) => `${reason}: ${name}`);
    expect({ names, url: urlOf(request), status, reason: body.reason }).toEqual({
      names,
      url: urlOf(request),
      status: mistakes[0]?.status,
      reason: mistakes[0]?.reason,
    });
  }

  it('a svc_token that is too long, beside a good header, is a value too long like any other', async () => {
    for (const endpoint of ENDPOINTS)
      await reject(
        service,
        goodRequest(endpoint, { tid: newTid('rejected'), svc_token: 'x'.repeat(257) }),
        400,
        'value_too_long',
      );
  });
});

describe('which campaign is meant', () => {
  it.each(ENDPOINTS)('%s: a campaign with a domain of its own is found by that domain and by app', async (endpoint) => {
    await accept(
      service,
      goodRequest(endpoint, { c: 'alt' }, 'domain', { ...ACME, domain: 'alt.acme.example', c: 'alt' }),
    );
    await accept(service, goodRequest(endpoint, { c: 'alt' }, 'query'));
    await accept(service, goodRequest(endpoint, { c: 'alt' }, 'path'));
  });

  it.each(ENDPOINTS)('%s: a campaign without one is found by every domain of its project', async (endpoint) => {
    await accept(service, goodRequest(endpoint, {}, 'domain', { ...ACME, domain: 'alt.acme.example' }));
    await accept(service, goodRequest(endpoint, {}, 'domain', ACME));
  });

  it.each(ENDPOINTS)(
    '%s: a shared app is no riddle where only one project has the campaign, or the switch on',
    async (endpoint) => {
      const projects = await Promise.all(['Shared A', 'Shared B'].map((name) => idByName(service, 'projects', name)));
      const projectOf = async (target: { app: string; domain: string; c: string }, form: Form) => {
        const id = await accept(service, goodRequest(endpoint, {}, form, target));
        return (await rowOf(service, endpoint, id)).project_id;
      };
      expect(await projectOf({ app: 'com.shared', domain: '', c: 'onlyA' }, 'path')).toBe(projects[0]);
      expect(await projectOf({ app: 'com.shared', domain: '', c: 'one' }, 'query')).toBe(projects[0]);
      expect(await projectOf({ app: '', domain: 'go.shared-a.example', c: 'both' }, 'domain')).toBe(projects[0]);
      expect(await projectOf({ app: '', domain: 'go.shared-b.example', c: 'both' }, 'domain')).toBe(projects[1]);
      await reject(
        service,
        goodRequest(endpoint, { tid: newTid('rejected') }, 'domain', {
          app: '',
          domain: 'go.shared-c.example',
          c: 'one',
        }),
        403,
        'partner_not_enabled',
      );
    },
  );

  it('an app is ambiguous by the switch of its endpoint: S2S clicks for clicks, S2S traffic for others', async () => {
    const both = { app: 'com.shared', domain: '', c: 'both' };
    const answers = async () =>
      Promise.all(
        ENDPOINTS.map(async (endpoint) => {
          const { body } = await send(service, goodRequest(endpoint, { tid: newTid('either') }, 'query', both));
          return body.reason ?? body.status;
        }),
      );
    expect(await answers()).toEqual(['ambiguous_app', 'ambiguous_app', 'ambiguous_app']);
    await setSwitches(service, 'Shared B', 'Mobi Ads', { s2s_clicks: false });
    expect(await answers()).toEqual(['accepted', 'ambiguous_app', 'ambiguous_app']);
    await setSwitches(service, 'Shared B', 'Mobi Ads', { s2s_clicks: true, s2s_traffic: false });
    expect(await answers()).toEqual(['ambiguous_app', 'accepted', 'accepted']);
    await setSwitches(service, 'Shared A', 'Mobi Ads', { s2s_traffic: false });
    expect(await answers()).toEqual(['ambiguous_app', 'partner_not_enabled', 'partner_not_enabled']);
    await setSwitches(service, 'Shared A', 'Mobi Ads', { s2s_traffic: true, view_through: false });
    await setSwitches(service, 'Shared B', 'Mobi Ads', { s2s_traffic: true });
    expect(await answers()).toEqual(['ambiguous_app', 'ambiguous_app', 'ambiguous_app']);
    await setSwitches(service, 'Shared A', 'Mobi Ads', { view_through: true });
  });

  it('an App Store app listed without its id prefix takes both spellings', async () => {
    for (const endpoint of ENDPOINTS) {
      for (const app of ['555000111', 'id555000111'])
        await accept(service, goodRequest(endpoint, {}, 'query', { app, domain: '', c: 'spelt' }));
    }
  });
});

describe('changes are in force before administration answers', () => {
  it('switches, one by one', async () => {
    const ask = async (endpoint: Endpoint, form: Form = 'query') => {
      const { status, body } = await send(service, goodRequest(endpoint, { tid: newTid('either') }, form, CHANGING));
      return body.reason ? `${status} ${body.reason as string}` : body.status;
    };
    const all = async () => [await ask('click'), await ask('impression'), await ask('ctv'), await ask('ctv', 'domain')];
    const set = (switches: object) => setSwitches(service, 'Changing', 'Mobi Ads', switches);
    const off = '403 partner_not_enabled';
    expect(await all()).toEqual([off, off, off, off]);
    await set({ s2s_clicks: true });
    expect(await all()).toEqual(['accepted', off, off, off]);
    await set({ s2s_traffic: true });
    expect(await all()).toEqual([
      'accepted',
      '403 view_through_disabled',
      '403 view_through_disabled',
      '403 view_through_disabled',
    ]);
    await set({ view_through: true });
    expect(await all()).toEqual(['accepted', 'accepted', '403 ctv_not_enabled', '403 ctv_not_enabled']);
    await set({ ctv_apps: ['com.changing'] });
    expect(await all()).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    await set({ view_through: false });
    expect(await all()).toEqual([
      'accepted',
      '403 view_through_disabled',
      '403 view_through_disabled',
      '403 view_through_disabled',
    ]);
    await set({ s2s_traffic: false });
    expect(await all()).toEqual(['accepted', off, off, off]);
    await set({ s2s_clicks: false, s2s_traffic: true, view_through: true, ctv_apps: [] });
    expect(await all()).toEqual([off, 'accepted', '403 ctv_not_enabled', '403 ctv_not_enabled']);
    await set({ s2s_clicks: true });
  });

  it('a campaign switched off and on again', async () => {
    const put = (active: boolean) =>
      service.apply({
        projects: [
          {
            name: 'Changing',
            account: 'Acme',
            timezone: 'UTC',
            campaigns: [{ display_id: 'toggle', name: 'Toggle', active }],
          },
        ],
      });
    const request = () => goodRequest('click', { tid: newTid('either') }, 'path', { ...CHANGING, c: 'toggle' });
    await accept(service, request());
    await put(false);
    await reject(service, request(), 400, 'unknown_campaign');
    await put(true);
    await accept(service, request());
  });

  it('a deleted campaign is unknown', async () => {
    const request = () => goodRequest('click', { tid: newTid('either') }, 'path', { ...CHANGING, c: 'deleted' });
    await accept(service, request());
    await changePostgres(
      service,
      `UPDATE campaigns
       SET deleted_at = now(), revision = (SELECT revision FROM configuration)
       WHERE display_id = 'deleted'`,
    );
    await eventuallyRejected(service, request(), 'unknown_campaign');
  });

  it('a partner suspended and active again', async () => {
    const request = () => ({
      ...goodRequest('click', { tid: newTid('either') }, 'query', { ...ROTATION, c: 'idle' }),
      token: 'token-of-idle-ads',
    });
    await accept(service, request());
    await service.apply({ partners: [{ name: 'Idle Ads', status: 'suspended', tokens: ['token-of-idle-ads'] }] });
    await reject(service, request(), 401, 'invalid_token');
    await service.apply({ partners: [{ name: 'Idle Ads', status: 'active', tokens: ['token-of-idle-ads'] }] });
    await accept(service, request());
  });
});

describe('tokens', () => {
  const with_ = (token: string, c = 'rota') => ({
    ...goodRequest('click', { tid: newTid('either') }, 'query', { ...ROTATION, c }),
    token,
  });

  it('a rotated token works on for a day, its successor at once, and neither a moment after revocation', async () => {
    const at = `/partners/${await idByName(service, 'partners', 'Rota Ads')}/tokens`;
    const rotate = async () => {
      const before = Date.now();
      const { status, body } = await service.admin('POST', at);
      const after = Date.now();
      expect({ status, keys: Object.keys(body).sort() }).toEqual({
        status: 201,
        keys: ['former_valid_until', 'token'],
      });
      const until = Date.parse(String(body.former_valid_until));
      expect(until).toBeGreaterThanOrEqual(before + 86_400_000);
      expect(until).toBeLessThanOrEqual(after + 86_400_000);
      return String(body.token);
    };
    const tokens = ['token-of-rota-ads-1'];
    for (let i = 0; i < 2; i++) {
      tokens.push(await rotate());
      for (const token of tokens) await accept(service, with_(token));
    }
    expect(new Set(tokens).size).toBe(3);
    // By parameter as by header.
    await accept(service, {
      ...with_(tokens[2] as string),
      token: undefined,
      params: { ...with_('').params, svc_token: tokens[2] as string },
    });

    // A day later, for the first token: over, while the second has its own day.
    await changePostgres(
      service,
      `UPDATE partner_tokens
       SET valid_until = now() - interval '1 second'
       WHERE sha256 = encode(sha256($1::bytea), 'hex')`,
      [Buffer.from(tokens[0] as string)],
    );
    await eventuallyRejected(service, with_(tokens[0] as string), 'invalid_token');
    for (const token of tokens.slice(1)) await accept(service, with_(token));

    // The second ends by the clock alone: nothing announces it.
    await changePostgres(
      service,
      `UPDATE partner_tokens
       SET valid_until = now() + interval '1 second'
       WHERE sha256 = encode(sha256($1::bytea), 'hex')`,
      [Buffer.from(tokens[1] as string)],
    );
    await eventuallyRejected(service, with_(tokens[1] as string), 'invalid_token');
    await accept(service, with_(tokens[2] as string));

    const fourth = await rotate();
    expect((await service.admin('DELETE', at)).status).toBe(204);
    for (const token of [...tokens, fourth]) await reject(service, with_(token), 401, 'invalid_token');
    const { status, body } = await service.admin('POST', at);
    expect({ status, former: body.former_valid_until }).toEqual({ status: 201, former: null });
    await accept(service, with_(String(body.token)));
    for (const token of [...tokens, fourth]) await reject(service, with_(token), 401, 'invalid_token');
  });

  it('revocation touches no other partner', async () => {
    await accept(service, with_('token-of-quit-ads', 'quit'));
    await service.admin('DELETE', `/partners/${await idByName(service, 'partners', 'Quit Ads')}/tokens`);
    await reject(service, with_('token-of-quit-ads', 'quit'), 401, 'invalid_token');
    await accept(service, goodRequest('click'));
  });

  it('a revoked token is not brought back by applying the workspace again', async () => {
    const { skipped } = await service.apply({ partners: [{ name: 'Quit Ads', tokens: ['token-of-quit-ads'] }] });
    expect(skipped).toHaveLength(1);
    await reject(service, with_('token-of-quit-ads', 'quit'), 401, 'invalid_token');
  });

  it("the token of a partner reaches only that partner's campaigns", async () => {
    await reject(
      service,
      { ...goodRequest('click', { tid: newTid('rejected') }, 'query', ROTATION), token: TOKEN },
      400,
      'unknown_campaign',
    );
  });
});

describe('503 unavailable', () => {
  it('is the answer while ClickHouse takes nothing, with Retry-After; a retry afterwards is stored once', async () => {
    const [engine] = service.enginePids().clickhouse;
    const requests = ENDPOINTS.map((endpoint) => goodRequest(endpoint, { tid: newTid('again') }));
    process.kill(engine as number, 'SIGSTOP');
    try {
      const answers = await Promise.all(requests.map((request) => reject(service, request, 503, 'unavailable')));
      for (const { headers } of answers) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      // Whatever else is wrong is still said first.
      for (const mistake of orderedMistakes('ctv', 'query')) {
        const request = rejectable('ctv', 'query');
        mistake.spoil(request);
        await reject(service, request, mistake.status, mistake.reason);
      }
    } finally {
      process.kill(engine as number, 'SIGCONT');
    }
    for (const request of requests) {
      const id = await eventuallyAccepted(request);
      await rowOf(service, request.endpoint, id);
    }
  });

  async function eventuallyAccepted(request: ReturnType<typeof goodRequest>): Promise<string> {
    for (let i = 0; i < 200; i++) {
      const { status, body } = await send(service, request);
      if (status === 200) return String(body[ID_FIELDS[request.endpoint]]);
      expect({ status, body }).toEqual({ status: 503, body: { status: 'rejected', reason: 'unavailable' } });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('Still unavailable');
  }
});

describe('429 rate_limited and 404 s2s_disabled', () => {
  let limited: RunningService;
  beforeAll(async () => {
    limited = await startService({ LIMIT_S2S_CAMPAIGN: '4/90000s' });
    await limited.apply(workspace);
  });
  afterAll(() => limited?.dispose());

  it('each campaign has its limit, which only requests that nothing is wrong with use up', async () => {
    for (const mistake of orderedMistakes('click', 'query')) {
      const request = rejectable('click', 'query');
      mistake.spoil(request);
      await reject(limited, request, mistake.status, mistake.reason);
    }
    for (let i = 0; i < 4; i++) await accept(limited, goodRequest('click'));
    const { headers } = await reject(limited, goodRequest('click', { tid: newTid('rejected') }), 429, 'rate_limited');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(90_000);
    await accept(limited, goodRequest('click', { c: 'second' }));
  });

  it('comes after every other check', async () => {
    for (const form of FORMS) {
      for (const mistake of orderedMistakes('click', form)) {
        const request = rejectable('click', form);
        mistake.spoil(request);
        await reject(limited, request, mistake.status, mistake.reason);
      }
      await reject(limited, rejectable('click', form), 429, 'rate_limited');
    }
  });

  it.each(['impression', 'ctv'] as const)('%s: limited too', async (endpoint) => {
    const target = { app: 'com.shared', domain: 'go.shared-a.example', c: endpoint === 'ctv' ? 'onlyA' : 'one' };
    for (let i = 0; i < 4; i++) await accept(limited, goodRequest(endpoint, {}, 'domain', target));
    const { headers } = await reject(
      limited,
      goodRequest(endpoint, { tid: newTid('rejected') }, 'domain', target),
      429,
      'rate_limited',
    );
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('stores nothing of what it refused', async () => {
    expect(await countRecords(limited)).toBe(13);
  });

  it('S2S_ENABLED=false: 404 s2s_disabled before anything else, a missing token too', async () => {
    await limited.stop();
    await limited.restart({ S2S_ENABLED: 'false' });
    for (const endpoint of ENDPOINTS) {
      for (const form of FORMS) {
        await reject(limited, rejectable(endpoint, form), 404, 's2s_disabled');
        for (const mistake of orderedMistakes(endpoint, form)) {
          const request = rejectable(endpoint, form);
          mistake.spoil(request);
          await reject(limited, request, 404, 's2s_disabled');
        }
      }
      await reject(limited, { endpoint, form: 'query', app: '', token: undefined, params: {} }, 404, 's2s_disabled');
    }
    expect(await countRecords(limited)).toBe(13);
  });

  it('wants true or false, nothing else', async () => {
    await limited.stop();
    await expect(limited.restart({ S2S_ENABLED: 'no' })).rejects.toThrow(/S2S_ENABLED/);
    await limited.restart({});
    await accept(limited, goodRequest('click'));
  });
});

describe('the token as a parameter', () => {
  it.each(ENDPOINTS)(
    '%s: svc_token alone is enough, and a good header wins over a wrong svc_token',
    async (endpoint) => {
      await accept(service, { ...goodRequest(endpoint, { svc_token: TOKEN }), token: undefined });
      await accept(service, goodRequest(endpoint, { svc_token: 'wrong' }));
      await accept(service, { ...goodRequest(endpoint, { svc_token: TOKEN }), token: '' });
    },
  );
});

describe('in the end', () => {
  it('nothing is stored of any request that was rejected', async () => {
    expect(await countRecords(service)).toBeGreaterThan(50);
    for (const endpoint of ENDPOINTS) {
      // In the table under the view too: nothing hides behind FINAL.
      for (const table of [VIEWS[endpoint], VIEWS[endpoint].replace('analytics', 'adtrail')]) {
        expect(await service.rows(`SELECT tid FROM ${table} WHERE startsWith(tid, 'rejected')`)).toEqual([]);
      }
      const named = [
        NOTHING_ON,
        ...(endpoint === 'click' ? [TRAFFIC_ONLY] : []),
        ...(endpoint === 'ctv' ? [NO_CTV] : []),
      ]
        .map(({ c }) => `'${c}'`)
        .join();
      expect(
        await service.rows(
          `SELECT tid
           FROM ${VIEWS[endpoint]}
           WHERE campaign_display_id IN (${named}, 'others', 'nobodys', 'inactive') OR tid = '' OR match(tid, '[{}]')`,
        ),
      ).toEqual([]);
    }
  });

  it('no token is in the log or the metrics', async () => {
    const metrics = await (
      await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
    ).text();
    expect(metrics).toContain('outcome="missing_token"');
    for (const text of [metrics, service.output()]) {
      for (const token of [TOKEN, 'wrong-token', 'token-of-rota-ads-1', 'token-of-suspended-ads'])
        expect(text).not.toContain(token);
    }
  });

  it('the service is as well as before', async () => {
    expect(
      (await get(service, `/v1/ctv/impression?app_id=com.acme.shop&c=AbC123&tid=last&ip=${PUBLIC_IP}&ua=x`)).status,
    ).toBe(200);
    const request = goodRequest('click');
    aim(request, ACME);
    await accept(service, request);
    expect(service.output()).not.toMatch(/Error/);
  });
});
