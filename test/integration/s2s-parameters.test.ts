/** Every parameter of the S2S endpoints: names, aliases, what is stored of it, and the record of acceptance. */
import {
  ACME,
  ENDPOINTS,
  FORMS,
  ID_FIELDS,
  PATHS,
  PUBLIC_IP,
  TIME_FIELDS,
  UA,
  VIEWS,
  accept,
  countRecords,
  get,
  goodRequest,
  newTid,
  reject,
  rowOf,
  rowsOf,
  send,
  type Endpoint,
  type Form,
} from '../support/s2s-client';
import { startService, type RunningService } from '../support/service';
import { GAID, IDFA, TOKEN, workspace } from '../support/workspace';

const ZERO = '00000000-0000-0000-0000-000000000000';
const DAY_MS = 86_400_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
  await service.apply({
    projects: [
      {
        name: 'Bare Number',
        account: 'Acme',
        timezone: 'UTC',
        apps: [{ platform: 'IOS', app_id: '777000999' }],
        domains: [{ name: 'go.bare.example' }],
        partner_switches: [
          { partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: ['777000999'] },
        ],
        campaigns: [{ display_id: 'bare', name: 'Bare', partner: 'Mobi Ads' }],
      },
    ],
  });
});
afterAll(() => service?.dispose());

/** Sends, expects acceptance, and answers with the stored row. */
async function stored(
  endpoint: Endpoint,
  params: Record<string, string | undefined> = {},
  form: Form = 'query',
  target = ACME,
): Promise<Record<string, unknown>> {
  return rowOf(service, endpoint, await accept(service, goodRequest(endpoint, params, form, target)));
}

/** What is stored of several requests, sent at once. */
const storedAll = (endpoint: Endpoint, all: readonly Record<string, string | undefined>[]) =>
  rowsOf(
    service,
    endpoint,
    all.map((params) => goodRequest(endpoint, params)),
  );

/** The milliseconds of a time as ClickHouse writes it. */
const instant = (value: unknown) => Date.parse(`${String(value).replace(' ', 'T')}Z`);

/** Parameters stored as they are sent: column, the name, then the aliases in the order in which they count. */
const PASSTHROUGH: Record<Endpoint, readonly (readonly string[])[]> = {
  click: [
    ['tid', 'clickid'],
    ['s2', 'af_sub1'],
    ['s3', 'af_sub2'],
    ['s4', 'af_sub3'],
    ['ua', 'af_ua'],
  ],
  impression: [
    ['tid', 'clickid'],
    ['s2', 'af_sub1'],
    ['s3', 'af_sub2'],
    ['s4', 'af_sub3'],
    ['ua', 'af_ua'],
  ],
  ctv: [
    ['tid', 'clickid'],
    ['s2', 'af_sub1'],
    ['s3', 'af_sub2'],
    ['s4', 'af_sub3'],
    ['ua', 'af_ua'],
    ['partner_campaign_id', 'af_c_id'],
    ['adset_id', 'af_adset_id'],
    ['ad_id', 'af_ad_id'],
    ['site_id', 'af_siteid'],
    ['source_platform', 'af_source_platform'],
    ['device_category', 'af_source_device_category'],
    ['tv_ifa'],
    ['ifa_type'],
  ],
};
/** Likewise with values that are looked at: a good value, and what is stored of it. */
const CHECKED: Record<
  Endpoint,
  readonly { names: readonly string[]; values: readonly (readonly [sent: string, stored: unknown])[] }[]
> = {
  click: [
    {
      names: ['gaid', 'advertising_id'],
      values: [
        [GAID, GAID],
        [IDFA, IDFA],
      ],
    },
    {
      names: ['ip', 'af_ip'],
      values: [
        [PUBLIC_IP, PUBLIC_IP],
        ['198.51.100.1', '198.51.100.1'],
      ],
    },
  ],
  impression: [
    {
      names: ['gaid', 'advertising_id'],
      values: [
        [GAID, GAID],
        [IDFA, IDFA],
      ],
    },
    {
      names: ['ip', 'af_ip'],
      values: [
        [PUBLIC_IP, PUBLIC_IP],
        ['198.51.100.1', '198.51.100.1'],
      ],
    },
    {
      names: ['vt_lookback', 'af_viewthrough_lookback'],
      values: [
        ['3h', 3],
        ['5', 5],
      ],
    },
  ],
  ctv: [
    {
      names: ['ip', 'af_ip'],
      values: [
        [PUBLIC_IP, PUBLIC_IP],
        ['198.51.100.1', '198.51.100.1'],
      ],
    },
    {
      names: ['vt_lookback', 'af_xplatform_vt_lookback', 'af_viewthrough_lookback'],
      values: [
        ['3h', 3],
        ['5', 5],
        ['7h', 7],
      ],
    },
  ],
};

describe.each(ENDPOINTS)('%s: names and aliases', (endpoint) => {
  it.each(PASSTHROUGH[endpoint].map((names) => [names[0] as string, names] as const))(
    '%s is stored as sent, under each of its names, and the name wins',
    async (column, names) => {
      const none = Object.fromEntries(names.map((name) => [name, undefined]));
      const value = () => newTid(`Value of ${column} \u00e9\u4e2d\u{1F600}`);
      for (const [i, name] of names.entries()) {
        const sent = { [name]: value() };
        // Beside every lesser name, wherever it stands among the parameters.
        const all = Object.fromEntries(names.slice(i).map((each) => [each, value()]));
        const reversed = Object.fromEntries(
          Object.keys(all)
            .reverse()
            .map((each) => [each, value()]),
        );
        // Empty counts as not sent.
        const emptied = { ...Object.fromEntries(names.slice(0, i).map((each) => [each, ''])), [name]: value() };
        const cases: Record<string, string>[] = [sent, all, reversed, emptied];
        const rows = await storedAll(
          endpoint,
          cases.map((params) => ({ ...none, ...params })),
        );
        expect(rows.map((row) => row[column])).toEqual(cases.map((params) => params[name]));
      }
      if (column !== 'tid' && column !== 'ua') expect((await stored(endpoint, none))[column]).toBe('');
    },
  );

  it.each(CHECKED[endpoint].map(({ names, values }) => [names[0] as string, names, values] as const))(
    '%s: under each of its names, and the name wins',
    async (column, names, values) => {
      // A second device ID keeps the request good while gaid comes and goes.
      const none = { ...Object.fromEntries(names.map((name) => [name, undefined])), idfa: IDFA };
      for (const [i, name] of names.entries()) {
        const [sent, kept] = values[i] as readonly [string, unknown];
        expect((await stored(endpoint, { ...none, [name]: sent }))[column]).toBe(kept);
        const lesser = Object.fromEntries(names.slice(i + 1).map((each, at) => [each, values[i + 1 + at]?.[0]]));
        expect((await stored(endpoint, { ...none, ...lesser, [name]: sent }))[column]).toBe(kept);
        expect(
          (
            await stored(endpoint, {
              ...none,
              ...Object.fromEntries(names.slice(0, i).map((each) => [each, ''])),
              [name]: sent,
            })
          )[column],
        ).toBe(kept);
      }
    },
  );

  it('of a repeated parameter the first counts, an empty first one falls to the alias', async () => {
    const twice = 'app_id=com.acme.shop&app_id=com.nobody&c=AbC123&c=nope';
    const base = `${PATHS[endpoint]}?${twice}&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
    const ask = async (query: string) => {
      const { status, body } = await get(service, `${base}&${query}`);
      expect(status).toBe(200);
      return rowOf(service, endpoint, String(body[ID_FIELDS[endpoint]]));
    };
    const tid = newTid();
    expect(
      await ask(`tid=${tid}&tid=other&s2=first&s2=second&af_sub1=alias&s3=&s3=second&af_sub2=alias&s4=&s4=`),
    ).toMatchObject({ tid, s2: 'first', s3: 'alias', s4: '' });
    expect((await get(service, `${base}&tid=&tid=${newTid()}`)).body).toEqual({
      status: 'rejected',
      reason: 'missing_tid',
    });
    // Neither the value too long nor the macro of a later one counts: it is not there.
    expect(await ask(`tid=${newTid()}&s2=ok&s2=${'x'.repeat(300)}&s3=ok&s3={s3}`)).toMatchObject({
      s2: 'ok',
      s3: 'ok',
    });
  });

  it('takes 256 characters, four-byte ones too', async () => {
    const values = ['x'.repeat(256), '\u{1F600}'.repeat(256), `${'\u{10FFFF}'.repeat(255)}z`];
    for (const [column = ''] of PASSTHROUGH[endpoint]) {
      expect(
        (
          await storedAll(
            endpoint,
            values.map((value) => ({ [column]: value })),
          )
        ).map((row) => row[column]),
      ).toEqual(values);
    }
  });

  it('keeps every value as it is: no trimming, no case, no normal form, no HTML', async () => {
    const values = [
      ' spaced ',
      '\t',
      'UPPER lower',
      'e\u0301',
      '\u00e9',
      '<script>',
      "'; DROP TABLE clicks; --",
      '\\N',
      '\\',
      '"',
      "\\'",
      '\0',
      'a\0b',
      '\r\n',
      '{}',
      '{a b}',
      `{${'m'.repeat(65)}}`,
      '}a{',
      '%7B',
      '%',
      '\ufeff',
      '\u202e',
      '\u{10FFFF}',
      'null',
      '[object Object]',
      '0',
      '-0',
      '1e999',
      'NaN',
      'true',
    ];
    const columns = PASSTHROUGH[endpoint].slice(1).map(([column = '']) => column);
    const rows = await storedAll(
      endpoint,
      values.map((value) => Object.fromEntries(columns.map((column) => [column, value]))),
    );
    for (const [i, value] of values.entries())
      expect(columns.map((column) => rows[i]?.[column])).toEqual(columns.map(() => value));
  });
});

describe.each(ENDPOINTS)('%s: app and domain', (endpoint) => {
  it('takes the app from the path, then app_id; app_id wins over the path, d over both', async () => {
    const at = (path: string, query: string) =>
      `${PATHS[endpoint]}${path}?${query}&c=AbC123&tid=${newTid()}&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
    const ask = async (path: string, query: string) => {
      const { body } = await get(service, at(path, query));
      if (body.reason) return body.reason;
      const { app_id, d } = await rowOf(service, endpoint, String(body[ID_FIELDS[endpoint]]));
      return { app_id, d };
    };
    const shop = { app_id: 'com.acme.shop', d: '' };
    const domain = { app_id: '', d: 'go.acme.example' };
    expect(await ask('/com.acme.shop', '')).toEqual(shop);
    expect(await ask('/com%2Eacme%2eshop', '')).toEqual(shop);
    expect(await ask('', 'app_id=com.acme.shop')).toEqual(shop);
    expect(await ask('/', 'app_id=com.acme.shop')).toEqual(shop);
    expect(await ask('/com.nobody', 'app_id=com.acme.shop')).toEqual(shop);
    expect(await ask('/com.acme.shop', 'app_id=com.nobody')).toBe('unknown_app');
    expect(await ask('/com.acme.shop', 'app_id=')).toEqual(shop);
    expect(await ask('', 'd=go.acme.example')).toEqual(domain);
    expect(await ask('/com.nobody', 'app_id=com.nobody&d=go.acme.example')).toEqual(domain);
    expect(await ask('/com.acme.shop', 'app_id=com.acme.shop&d=go.nobody.example')).toBe('unknown_domain');
    expect(await ask('/com.acme.shop', 'd=')).toEqual(shop);
    expect(await ask('', 'app_id=com.acme.shop&d=')).toEqual(shop);
    expect(await ask('', '')).toBe('missing_app');
    expect(await ask('/', '')).toBe('missing_app');
  });

  it('domains in any case, stored in one', async () => {
    for (const domain of ['go.acme.example', 'GO.ACME.EXAMPLE', 'Go.Acme.Example'])
      expect((await stored(endpoint, {}, 'domain', { ...ACME, domain })).d).toBe('go.acme.example');
  });

  it('App Store IDs with and without id, however the project lists them, stored in one form', async () => {
    for (const app of ['777000999', 'id777000999'])
      expect((await stored(endpoint, {}, 'path', { app, domain: '', c: 'bare' })).app_id).toBe('id777000999');
    if (endpoint !== 'ctv')
      for (const app of ['1234567890', 'id1234567890'])
        expect((await stored(endpoint, {}, 'query', { ...ACME, app })).app_id).toBe('id1234567890');
  });

  it('the record names its campaign, project and partner', async () => {
    const row = await stored(endpoint);
    expect(row).toMatchObject({
      campaign_display_id: 'AbC123',
      campaign_name: 'Campaign AbC123',
      partner_name: 'Mobi Ads',
    });
    expect(row.project_id).toEqual(expect.any(Number));
    expect(row.campaign_id).toEqual(expect.any(Number));
    if (endpoint === 'click') expect(row.kind).toBe('s2s');
  });
});

describe.each(ENDPOINTS)('%s: what is not stored', (endpoint) => {
  const ignored = {
    click: ['redirect', 'pid', 'af_siteid', 'af_lang', 'vt_lookback', 'impression_time', 'tv_ifa', 'ad_id'],
    impression: [
      'click_time',
      'pid',
      'af_siteid',
      'af_lang',
      'redirect',
      'af_xplatform_vt_lookback',
      'tv_ifa',
      'ad_id',
    ],
    ctv: ['pid', 'af_xplatform', 'redirect', 'gaid', 'idfa', 'advertising_id', 'click_time', 'af_lang'],
  }[endpoint];

  it('of ignored and unknown parameters only the length is checked, and nothing is stored', async () => {
    const names = [
      ...ignored,
      'unknown',
      '__proto__',
      'constructor',
      'toString',
      'received_at',
      'project_id',
      'campaign_id',
      'version',
      'gone',
      'bucket',
      'kind',
      'id',
      'click_id',
      'impression_id',
      'C',
      'TID',
      'S2',
      'Gaid',
      'datacenter_list',
      'af_sub4',
      's1',
    ];
    const rows = await storedAll(
      endpoint,
      names.flatMap((name) => [{ [name]: 'marker-to-find' }, { [name]: '{marker}' }]),
    );
    for (const row of rows) expect(JSON.stringify(row)).not.toContain('marker');
    for (const name of names)
      await reject(service, goodRequest(endpoint, { [name]: 'x'.repeat(257) }), 400, 'value_too_long');
  });

  it('the token, by header or by parameter', async () => {
    for (const [params, token] of [
      [{ svc_token: TOKEN }, undefined],
      [{}, TOKEN],
      [{ svc_token: 'another-secret' }, TOKEN],
    ] as const) {
      const id = await accept(service, { ...goodRequest(endpoint, params), token });
      const rows = await service.rows(
        `SELECT * FROM ${VIEWS[endpoint].replace('analytics', 'adtrail')} WHERE ${ID_FIELDS[endpoint]} = '${id}'`,
      );
      expect(rows).toHaveLength(1);
      for (const secret of [TOKEN, 'another-secret']) expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });

  it('the IP and user agent of the request itself', async () => {
    const request = goodRequest(endpoint);
    const { body } = await get(
      service,
      `${PATHS[endpoint]}?${new URLSearchParams({ ...request.params, app_id: 'com.acme.shop' }).toString()}`,
      {
        'X-Service-Token': TOKEN,
        'User-Agent': 'own-agent/1.0',
        'X-Forwarded-For': '192.0.2.99',
        'X-Device-IP': '192.0.2.98',
        'X-Device-User-Agent': 'device-agent/1.0',
        'X-Real-IP': '192.0.2.97',
        Forwarded: 'for=192.0.2.96',
      },
    );
    const row = await rowOf(service, endpoint, String(body[ID_FIELDS[endpoint]]));
    expect(row).toMatchObject(endpoint === 'ctv' ? { ip: PUBLIC_IP, ua: UA } : { ip: '', ua: '' });
    expect(JSON.stringify(row)).not.toMatch(/own-agent|device-agent|192\.0\.2|127\.0\.0\.1/);
  });

  it('has no columns but those it should have', async () => {
    const common = [
      'project_id',
      'bucket',
      'campaign_id',
      'campaign_display_id',
      'campaign_name',
      ID_FIELDS[endpoint],
      TIME_FIELDS[endpoint],
      'received_at',
      'partner_id',
      'partner_name',
      'custom_channel',
      'app_id',
      'd',
      'tid',
      's2',
      's3',
      's4',
      'ip',
      'ua',
    ];
    const own = {
      click: ['kind', 'gaid', 'idfa'],
      impression: ['gaid', 'idfa', 'vt_lookback'],
      ctv: [
        'vt_lookback',
        'partner_campaign_id',
        'adset_id',
        'ad_id',
        'site_id',
        'source_platform',
        'device_category',
        'tv_ifa',
        'ifa_type',
        'datacenter_list',
      ],
    }[endpoint];
    const columns = Object.keys(await stored(endpoint));
    expect(columns).toEqual(expect.arrayContaining([...common, ...own]));
    for (const column of ['svc_token', 'redirect', 'pid', 'af_lang', ...(endpoint === 'ctv' ? ['gaid', 'idfa'] : [])])
      expect(columns).not.toContain(column);
  });
});

describe('device IDs', () => {
  const MIXED = '38400000-8CF0-11bd-B23E-10B96e40000D';

  it.each(['click', 'impression'] as const)(
    '%s: UUIDs of any case and version are stored in lower case',
    async (endpoint) => {
      for (const id of [
        GAID,
        GAID.toUpperCase(),
        MIXED,
        'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
        '00000000-0000-0000-0000-000000000001',
      ]) {
        expect(await stored(endpoint, { gaid: id })).toMatchObject({ gaid: id.toLowerCase(), idfa: null });
        expect(await stored(endpoint, { gaid: undefined, idfa: id })).toMatchObject({
          gaid: null,
          idfa: id.toLowerCase(),
        });
        expect(await stored(endpoint, { gaid: undefined, advertising_id: id })).toMatchObject({
          gaid: id.toLowerCase(),
          idfa: null,
        });
        expect(await stored(endpoint, { gaid: id, idfa: IDFA.toUpperCase() })).toMatchObject({
          gaid: id.toLowerCase(),
          idfa: IDFA,
        });
      }
    },
  );

  it.each(['click', 'impression'] as const)('%s: an all-zero ID is none; the other one counts', async (endpoint) => {
    expect(await stored(endpoint, { gaid: ZERO, idfa: IDFA })).toMatchObject({ gaid: null, idfa: IDFA });
    expect(await stored(endpoint, { gaid: GAID, idfa: ZERO })).toMatchObject({ gaid: GAID, idfa: null });
    await reject(service, goodRequest(endpoint, { gaid: ZERO, idfa: ZERO }), 400, 'missing_device_id');
  });

  it('a click is good with a public IP alone, and with an all-zero ID beside it', async () => {
    expect(await stored('click', { gaid: undefined, ip: PUBLIC_IP })).toMatchObject({
      gaid: null,
      idfa: null,
      ip: PUBLIC_IP,
    });
    expect(await stored('click', { gaid: ZERO, ip: PUBLIC_IP })).toMatchObject({
      gaid: null,
      idfa: null,
      ip: PUBLIC_IP,
    });
    expect(await stored('click', { gaid: undefined, af_ip: '2001:DB8::1' })).toMatchObject({ ip: '2001:db8::1' });
  });

  it('CTV reads neither gaid nor idfa, be they ever so bad', async () => {
    await stored('ctv', { gaid: 'x', idfa: 'x', advertising_id: 'x' });
    await stored('ctv', { gaid: '{gaid}', idfa: ZERO });
  });
});

describe('ip', () => {
  const canonical: readonly (readonly [string, string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:00aB', '2001:db8::ab'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8::203.0.113.7', '2001:db8::cb00:7107'],
  ];
  it.each(ENDPOINTS)('%s: stored in canonical form', async (endpoint) => {
    const rows = await storedAll(
      endpoint,
      canonical.map(([ip]) => ({ ip })),
    );
    expect(rows.map(({ ip }, i) => [canonical[i]?.[0], ip])).toEqual(canonical);
  });

  it.each(ENDPOINTS)('%s: the addresses next to those that are not public are', async (endpoint) => {
    // Data centres matter for CTV only, and some of these are in one.
    const edges = [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '192.169.0.0',
      '223.255.255.255',
      '192.0.2.1',
      '198.51.100.255',
    ];
    const outcomes = await Promise.all(
      edges.map(async (ip) => (await send(service, goodRequest(endpoint, { ip }))).body.reason),
    );
    const good = edges.filter((_, i) => !(endpoint === 'ctv' && outcomes[i] === 'datacenter_ip'));
    expect(good.length).toBeGreaterThan(5);
    expect(
      (
        await storedAll(
          endpoint,
          good.map((ip) => ({ ip })),
        )
      ).map(({ ip }) => ip),
    ).toEqual(good);
  });

  it.each(['click', 'impression'] as const)(
    '%s: an address that is not public is simply not there; one of a data centre is',
    async (endpoint) => {
      const rows = await storedAll(
        endpoint,
        [
          '10.0.0.1',
          '127.0.0.1',
          '100.64.1.1',
          '::1',
          'fe80::1',
          'fd00::1',
          '::ffff:192.168.0.1',
          'nonsense',
          '1.2.3',
          '0.0.0.0',
          '',
        ].map((ip) => ({ ip })),
      );
      for (const row of rows) expect(row).toMatchObject({ ip: '', gaid: GAID });
      expect(await stored(endpoint, { ip: '3.5.140.1' })).toMatchObject({ ip: '3.5.140.1' });
      // The name wins, also where its value is no use.
      expect(await stored(endpoint, { ip: '10.0.0.1', af_ip: PUBLIC_IP })).toMatchObject({ ip: '' });
    },
  );

  it('a CTV impression says by which list its address was checked', async () => {
    expect((await stored('ctv')).datacenter_list).toMatch(/\S/);
  });
});

describe.each(ENDPOINTS)('%s: time', (endpoint) => {
  const field = TIME_FIELDS[endpoint];
  const at = async (value: string | undefined) => {
    const before = Date.now();
    const row = await stored(endpoint, { [field]: value });
    return { before, after: Date.now(), time: instant(row[field]), received: instant(row.received_at) };
  };

  it('13 digits are milliseconds, 10 digits seconds', async () => {
    for (const ago of [0, 1, 999, 60_000, 3_600_000, DAY_MS - 60_000]) {
      const ms = Date.now() - ago;
      expect((await at(String(ms))).time).toBe(ms);
      const s = Math.floor(ms / 1000);
      expect((await at(String(s))).time).toBe(s * 1000);
    }
  });

  it('without one, empty, or in the future: now', async () => {
    for (const value of [
      undefined,
      '',
      String(Date.now() + 60_000),
      String(Date.now() + 400 * DAY_MS),
      String(Math.floor(Date.now() / 1000) + 3600),
      '9999999999',
      '9999999999999',
    ]) {
      const { before, after, time, received } = await at(value);
      expect(time).toBe(received);
      expect(time).toBeGreaterThanOrEqual(before);
      expect(time).toBeLessThanOrEqual(after);
    }
  });

  it('24 hours are the limit', async () => {
    const almost = Date.now() - DAY_MS + 20_000;
    expect((await at(String(almost))).time).toBe(almost);
    await reject(
      service,
      goodRequest(endpoint, { [field]: String(Date.now() - DAY_MS - 1) }),
      400,
      endpoint === 'click' ? 'click_too_old' : 'impression_too_old',
    );
  });

  it('received_at is the time of the request, whatever time it names', async () => {
    const { before, after, received } = await at(String(Date.now() - 3_600_000));
    expect(received).toBeGreaterThanOrEqual(before);
    expect(received).toBeLessThanOrEqual(after);
  });
});

describe.each(['impression', 'ctv'] as const)('%s: vt_lookback', (endpoint) => {
  it('takes hours, with h or bare, and days; caps at 24 hours; absent is null', async () => {
    const hours = Array.from({ length: 24 }, (_, i) => i + 1);
    const forms = hours.flatMap(
      (n) =>
        [
          [String(n), n],
          [`${n}h`, n],
        ] as const,
    );
    const capped = [
      '1d',
      '2d',
      '30d',
      '25',
      '25h',
      '48h',
      '100',
      '1000000h',
      '9'.repeat(256),
      `${'9'.repeat(255)}d`,
    ].map((value) => [value, 24] as const);
    const cases = [...forms, ...capped];
    const rows = await storedAll(
      endpoint,
      cases.map(([sent]) => ({ vt_lookback: sent })),
    );
    expect(rows.map((row, i) => [cases[i]?.[0], row.vt_lookback])).toEqual(cases);
    expect((await stored(endpoint)).vt_lookback).toBeNull();
    expect((await stored(endpoint, { vt_lookback: '' })).vt_lookback).toBeNull();
  });
});

describe('the record of acceptance', () => {
  it.each(ENDPOINTS)('%s: status and ID, nothing else, in every host form', async (endpoint) => {
    for (const form of FORMS) {
      const { status, body, headers } = await send(service, goodRequest(endpoint, {}, form));
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['status', ID_FIELDS[endpoint]]);
      expect(body.status).toBe('accepted');
      expect(body[ID_FIELDS[endpoint]]).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-[58][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(headers.get('location')).toBeNull();
    }
  });

  it.each(ENDPOINTS)('%s: the ID is a function of tid and campaign, and of nothing else', async (endpoint) => {
    const tid = newTid('same');
    const ids = new Set<string>();
    for (const form of FORMS) ids.add(await accept(service, goodRequest(endpoint, { tid }, form)));
    ids.add(
      await accept(
        service,
        goodRequest(endpoint, { tid: undefined, clickid: tid, s2: 'other', ua: 'other', ip: '198.51.100.9' }),
      ),
    );
    ids.add(await accept(service, { ...goodRequest(endpoint, { tid, svc_token: TOKEN }), token: undefined }));
    expect(ids.size).toBe(1);
    const others = [
      await accept(service, goodRequest(endpoint, { tid, c: 'second' })),
      await accept(service, goodRequest(endpoint, { tid: tid.toUpperCase() })),
      await accept(service, goodRequest(endpoint, { tid: `${tid} ` })),
      await accept(service, goodRequest(endpoint, { tid: `${tid}\0` })),
    ];
    expect(new Set([...ids, ...others]).size).toBe(5);
  });

  it('the three endpoints give one tid three IDs', async () => {
    const tid = newTid('everywhere');
    const ids = await Promise.all(ENDPOINTS.map((endpoint) => accept(service, goodRequest(endpoint, { tid }))));
    expect(new Set(ids).size).toBe(3);
    for (const [i, endpoint] of ENDPOINTS.entries())
      expect(await rowOf(service, endpoint, ids[i] as string)).toMatchObject({ tid });
  });

  it('tids that look alike give different IDs', async () => {
    const alike = [
      '1',
      '01',
      '1.0',
      ' 1',
      '1 ',
      '1\0',
      '\u0661',
      '1:1',
      '11',
      'e\u0301',
      '\u00e9',
      'E\u0301',
      '\u212b',
      '\u00c5',
      'null',
      'undefined',
      '\ufffd',
      '\ufffd\ufffd',
    ];
    const ids = await Promise.all(alike.map((tid) => accept(service, goodRequest('click', { tid }))));
    expect(new Set(ids).size).toBe(alike.length);
  });

  it.each(ENDPOINTS)('%s: a repeat returns the same ID and changes nothing', async (endpoint) => {
    const tid = newTid('repeat');
    const first = {
      tid,
      s2: 'first',
      ip: PUBLIC_IP,
      ua: 'first',
      [TIME_FIELDS[endpoint]]: String(Date.now() - 1000),
      vt_lookback: '3',
    };
    const id = await accept(service, goodRequest(endpoint, first));
    const row = await rowOf(service, endpoint, id);
    const before = await countRecords(service);
    const other = {
      tid,
      s2: 'second',
      s3: 'new',
      gaid: endpoint === 'ctv' ? undefined : IDFA,
      ip: '198.51.100.9',
      ua: 'second',
      [TIME_FIELDS[endpoint]]: String(Date.now() - 5000),
      vt_lookback: '9',
    };
    for (const form of FORMS)
      expect(await accept(service, goodRequest(endpoint, other, form, { ...ACME, domain: 'alt.acme.example' }))).toBe(
        id,
      );
    expect(await rowOf(service, endpoint, id)).toEqual(row);
    expect(row).toMatchObject({ s2: 'first', s3: '', ua: 'first' });
    expect(await countRecords(service)).toBe(before);
  });

  it.each(ENDPOINTS)('%s: a repeat that is wrong is still rejected, and changes nothing', async (endpoint) => {
    const tid = newTid('repeat');
    const id = await accept(service, goodRequest(endpoint, { tid, s2: 'first' }));
    const row = await rowOf(service, endpoint, id);
    await reject(service, goodRequest(endpoint, { tid, s2: '{s2}' }), 400, 'unreplaced_macro');
    await reject(service, { ...goodRequest(endpoint, { tid }), token: 'wrong-token' }, 401, 'invalid_token');
    expect(await rowOf(service, endpoint, id)).toEqual(row);
  });

  it.each(ENDPOINTS)('%s: 50 at once with one tid give one ID and one row, which is one of them', async (endpoint) => {
    for (let round = 0; round < 3; round++) {
      const tid = newTid('parallel');
      const sent = Array.from({ length: 50 }, (_, i) => ({ tid, s2: `s2-${i}`, s3: `s3-${i}`, ua: `ua-${i}` }));
      const ids = await Promise.all(
        sent.map((params, i) => accept(service, goodRequest(endpoint, params, FORMS[i % 3] as Form))),
      );
      expect(new Set(ids).size).toBe(1);
      const rows = await service.rows(`SELECT * FROM ${VIEWS[endpoint]} WHERE tid = '${tid}'`);
      expect(rows).toHaveLength(1);
      const { s2, s3, ua } = rows[0] as { s2: string; s3: string; ua: string };
      expect(sent).toContainEqual({ tid, s2, s3, ua });
      // And it stays that one.
      expect(await accept(service, goodRequest(endpoint, { tid, s2: 'late' }))).toBe(ids[0]);
      expect(await rowOf(service, endpoint, ids[0] as string)).toEqual(rows[0]);
    }
  });

  it('200 different tids at once are 200 records', async () => {
    const tids = Array.from({ length: 200 }, () => newTid('many'));
    const ids = await Promise.all(tids.map((tid) => accept(service, goodRequest('click', { tid }))));
    expect(new Set(ids).size).toBe(200);
    const rows = await service.rows<{ tid: string }>("SELECT tid FROM analytics.clicks WHERE startsWith(tid, 'many')");
    expect(rows.map(({ tid }) => tid).sort()).toEqual([...tids].sort());
  });

  it('survives a restart: the same ID, and the first values', async () => {
    const requests = ENDPOINTS.map((endpoint) => goodRequest(endpoint, { tid: newTid('restart'), s2: 'before' }));
    const ids = await Promise.all(requests.map((request) => accept(service, request)));
    const before = await countRecords(service);
    await service.stop();
    await service.restart();
    expect(
      await Promise.all(
        requests.map((request) => accept(service, { ...request, params: { ...request.params, s2: 'after' } })),
      ),
    ).toEqual(ids);
    expect(await countRecords(service)).toBe(before);
    for (const [i, endpoint] of ENDPOINTS.entries())
      expect(await rowOf(service, endpoint, ids[i] as string)).toMatchObject({ s2: 'before' });
  });
});
