/** Every parameter of the S2S endpoints: names, aliases, what is stored of it, and the record of acceptance. */
import { NAMES, words } from '../../support/s2s/s2s-cases';
import {
  ACME,
  ENDPOINTS,
  FORMS,
  ID_FIELDS,
  PATHS,
  PUBLIC_IP,
  TIME_FIELDS,
  UA,
  UUID,
  accept,
  goodRequest,
  newTid,
  reject,
  send,
  type Endpoint,
  type Form,
  type Row,
} from '../../support/s2s/s2s-client';
import { createPipeline } from '../../support/s2s/s2s-pipeline';
import { GAID, IDFA, TOKEN } from '../../support/workspace/workspace';

const ZERO = '00000000-0000-0000-0000-000000000000';
const DAY_MS = 86_400_000;
const DEVICES = ['click', 'impression'] as const;
const VIEWS = ['impression', 'ctv'] as const;
type Params = Record<string, string | undefined>;

const s2s = createPipeline();

/** The row that was stored last, which has this ID. */
function lastStored(on: Endpoint, id: unknown): Row {
  const row = s2s.stored[on].at(-1) as Row;
  expect(row[ID_FIELDS[on]]).toBe(id);
  return row;
}

/** Sends, expects acceptance, and answers with the stored row. */
const stored = async (on: Endpoint, params: Params = {}, form: Form = 'query', target = ACME): Promise<Row> =>
  lastStored(on, await accept(s2s, goodRequest(on, params, form, target)));

/** Sends a path with query as it stands and a good token; answers with the stored row, or the reason. */
async function ask(on: Endpoint, at: string, headers: Record<string, string> = {}): Promise<Row | string> {
  const { body } = await s2s.ask(at, { 'X-Service-Token': TOKEN, ...headers });
  return body.reason ? (body.reason as string) : lastStored(on, body[ID_FIELDS[on]]);
}

/** Values that are looked at, and what is stored of them, for each of their names in turn; others are texts. */
const CHECKED: Readonly<Record<string, readonly (readonly [sent: string, stored: unknown])[]>> = {
  gaid: [
    [GAID, GAID],
    [IDFA, IDFA],
  ],
  idfa: [[IDFA, IDFA]],
  ip: [
    [PUBLIC_IP, PUBLIC_IP],
    ['198.51.100.1', '198.51.100.1'],
  ],
  vt_lookback: [
    ['3h', 3],
    ['5', 5],
    ['7h', 7],
  ],
  click_time: [[String(s2s.clock - 1), s2s.clock - 1]],
  impression_time: [[String(s2s.clock - 1), s2s.clock - 1]],
  c: [['second', 105]],
};
const TEXTS = (on: Endpoint) => Object.keys(NAMES[on]).filter((name) => !CHECKED[name]);

describe.each(ENDPOINTS)('%s: names and aliases', (on) => {
  test.each(Object.entries(NAMES[on]))(
    '%s, alias %j: stored under each of its names, and the name wins',
    async (name, aliases) => {
      const names = [name, ...aliases];
      const values = names.map(
        (_, i) => CHECKED[name]?.[i] ?? ([newTid(`${i} \u00e9\u4e2d\u{1F600}`), undefined] as const),
      );
      // A second device ID keeps the request good while gaid comes and goes.
      const none = {
        ...Object.fromEntries(names.map((one) => [one, undefined])),
        ...(name !== 'idfa' && on !== 'ctv' && { idfa: IDFA }),
      };
      for (const [i, own] of names.entries()) {
        const [sent, kept = sent] = values[i] as readonly [string, unknown];
        const lesser = Object.fromEntries(names.slice(i + 1).map((one, j) => [one, values[i + 1 + j]?.[0]]));
        const emptied = Object.fromEntries(names.slice(0, i).map((one) => [one, '']));
        // Alone, before and after every lesser name, and where the better ones are empty, which counts as not sent.
        for (const params of [
          { [own]: sent },
          { [own]: sent, ...lesser },
          { ...lesser, [own]: sent },
          { ...emptied, [own]: sent },
        ])
          expect((await stored(on, { ...none, ...params }))[name === 'c' ? 'campaign_id' : name]).toBe(kept);
      }
      if (['s2', 's3', 's4'].includes(name)) expect((await stored(on, none))[name]).toBe('');
    },
  );

  test('of a repeated parameter the first counts, an empty first one falls to the alias', async () => {
    const named = 'app_id=com.acme.shop&app_id=com.nobody&c=AbC123&c=nope';
    const base = `${PATHS[on]}?${named}&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
    const tid = newTid();
    const twice = `&tid=${tid}&tid=other&s2=first&s2=second&af_sub1=alias&s3=&s3=second&af_sub2=alias&s4=&s4=`;
    expect(await ask(on, base + twice)).toMatchObject({ tid, s2: 'first', s3: 'alias', s4: '' });
    expect(await ask(on, `${base}&tid=&tid=${newTid()}`)).toBe('missing_tid');
    // Neither the value too long nor the macro of a later one counts: it is not there.
    const later = `&tid=${newTid()}&s2=ok&s2=${'x'.repeat(300)}&s3=ok&s3={s3}`;
    expect(await ask(on, base + later)).toMatchObject({ s2: 'ok', s3: 'ok' });
  });

  test('keeps every value as it is, up to 256 characters: no trimming, case, normal form or HTML', async () => {
    const values = [
      ...['x'.repeat(256), '\u{1F600}'.repeat(256), `${'\u{10FFFF}'.repeat(255)}z`, `{${'m'.repeat(65)}}`],
      ...words(String.raw`e${'\u0301'} ${'\u00e9'} \N \ " \' {} }a{ %7B % null 0 -0 1e999 NaN true`),
      ...['\t', '\0', 'a\0b', '\r\n', '\ufeff', '\u202e', '\u{10FFFF}', ' spaced ', 'UPPER lower', '{a b}'],
      ...['<script src="x">', "'; DROP TABLE clicks; --", '[object Object]'],
    ];
    for (const value of values) {
      const texts = Object.fromEntries(TEXTS(on).map((name) => [name, value]));
      const tid = newTid('x') + value.slice(0, 200);
      expect(await stored(on, { ...texts, tid })).toMatchObject({ ...texts, tid });
    }
  });
});

test.each(ENDPOINTS)('%s: the app of the path, then app_id, which wins over the path; d wins over both', async (on) => {
  const asked = async (path: string, query: string) => {
    const at = `${PATHS[on]}${path}?${query}&c=AbC123&tid=${newTid()}&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
    const answer = await ask(on, at);
    return typeof answer === 'string' ? answer : `${String(answer.app_id)} ${String(answer.d)}`;
  };
  const [shop, domain] = ['com.acme.shop ', ' go.acme.example'];
  const cases: readonly (readonly [path: string, query: string, outcome: string])[] = [
    ['/com.acme.shop', '', shop],
    ['/com%2Eacme%2eshop', '', shop],
    ['', 'app_id=com.acme.shop', shop],
    ['/', 'app_id=com.acme.shop', shop],
    ['/com.nobody', 'app_id=com.acme.shop', shop],
    ['/com.acme.shop', 'app_id=com.nobody', 'unknown_app'],
    ['/com.acme.shop', 'app_id=', shop],
    ['/com.acme.shop', 'd=', shop],
    ['', 'app_id=com.acme.shop&d=', shop],
    ['', 'd=go.acme.example', domain],
    ['', 'd=GO.Acme.EXAMPLE', domain],
    ['/com.nobody', 'app_id=com.nobody&d=go.acme.example', domain],
    ['/com.acme.shop', 'app_id=com.acme.shop&d=go.nobody.example', 'unknown_domain'],
    ['', '', 'missing_app'],
    ['/', '', 'missing_app'],
    // Apps of hell in the path.
    ...words('% %00 %2F %2e%2e .. . %FF + com.acme.shop%00 com.acme.shop+ %2525 ; __proto__x %F0%9F%98%80').map(
      (app) => [`/${app}`, '', 'unknown_app'] as const,
    ),
    ...(on === 'ctv' ? [] : (['1234567890', 'id1234567890'] as const)).map(
      (app) => [`/${app}`, '', 'id1234567890 '] as const,
    ),
  ];
  for (const [path, query, outcome] of cases)
    expect([path, query, await asked(path, query)]).toEqual([path, query, outcome]);
});

describe.each(ENDPOINTS)('%s: what is not stored', (on) => {
  const ignored = {
    click: 'redirect pid af_siteid af_lang vt_lookback impression_time tv_ifa ad_id',
    impression: 'click_time pid af_siteid af_lang redirect af_xplatform_vt_lookback tv_ifa ad_id',
    ctv: 'pid af_xplatform redirect gaid idfa advertising_id click_time af_lang',
  }[on];
  const unknown = `unknown __proto__ constructor toString received_at project_id campaign_id version gone bucket kind id
    click_id impression_id C TID S2 Gaid datacenter_list af_sub4 s1 __proto__[x] hasOwnProperty length c[] tid\0
    svc_token[] c[0]`;

  test.each([...words(`${ignored} ${unknown}`), '', ' tid', '\ufefftid', 'x'.repeat(5_000)])(
    'of %j only the length is checked',
    async (name) => {
      for (const value of ['marker-to-find', '{marker}'])
        expect(JSON.stringify(await stored(on, { [name]: value }))).not.toContain('marker');
      await reject(s2s, goodRequest(on, { [name]: 'x'.repeat(257) }), 400, 'value_too_long');
    },
  );

  test('the token, and the address and user agent of the request itself', async () => {
    const { params } = goodRequest(on, { svc_token: 'another-secret' });
    const row = await ask(on, `${PATHS[on]}?${new URLSearchParams({ ...params, app_id: ACME.app }).toString()}`, {
      'User-Agent': 'own-agent/1.0',
      'X-Forwarded-For': '192.0.2.99',
      'X-Device-IP': '192.0.2.98',
      'X-Device-User-Agent': 'device-agent/1.0',
      'X-Real-IP': '192.0.2.97',
      Forwarded: 'for=192.0.2.96',
    });
    expect(row).toMatchObject(on === 'ctv' ? { ip: PUBLIC_IP, ua: UA } : { ip: '', ua: '' });
    expect(JSON.stringify(row)).not.toMatch(/own-agent|device-agent|192\.0\.2|another-secret|token-of/);
  });

  test('there are no columns but these', async () => {
    const common = `project_id bucket campaign_id ${ID_FIELDS[on]} ${TIME_FIELDS[on]} received_at partner_id app_id d
      tid s2 s3 s4 ip ua country device_type os_name version`;
    const own = {
      click: 'kind gaid idfa',
      impression: 'gaid idfa vt_lookback',
      ctv: `vt_lookback partner_campaign_id adset_id ad_id site_id source_platform device_category tv_ifa ifa_type
        datacenter_list`,
    }[on];
    expect(Object.keys(await stored(on)).sort()).toEqual(words(`${common} ${own}`).sort());
  });
});

test.each(ENDPOINTS)(
  '%s: a record names its campaign, project, partner, day and, of CTV, the list of networks',
  async (on) => {
    expect(await stored(on)).toMatchObject({
      project_id: 1,
      campaign_id: 100,
      partner_id: 1,
      bucket: new Date(s2s.clock).toISOString().slice(0, 10),
      ...(on === 'click' && { kind: 's2s' }),
      ...(on === 'ctv' && { datacenter_list: expect.stringMatching(/\S/) as string }),
    });
  },
);

describe.each(DEVICES)('%s: device IDs', (on) => {
  test.each([
    ...words('38400000-8CF0-11bd-B23E-10B96e40000D FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'),
    ...[GAID, GAID.toUpperCase(), '00000000-0000-0000-0000-000000000001'],
  ])('%s is stored in lower case', async (id) => {
    const kept = id.toLowerCase();
    expect(await stored(on, { gaid: id })).toMatchObject({ gaid: kept, idfa: null });
    expect(await stored(on, { gaid: undefined, idfa: id })).toMatchObject({ gaid: null, idfa: kept });
    expect(await stored(on, { gaid: undefined, advertising_id: id })).toMatchObject({ gaid: kept, idfa: null });
    expect(await stored(on, { gaid: id, idfa: IDFA.toUpperCase() })).toMatchObject({ gaid: kept, idfa: IDFA });
  });

  test('an all-zero ID is none; the other one counts, and of a click a public IP', async () => {
    expect(await stored(on, { gaid: ZERO, idfa: IDFA })).toMatchObject({ gaid: null, idfa: IDFA });
    expect(await stored(on, { gaid: GAID, idfa: ZERO })).toMatchObject({ gaid: GAID, idfa: null });
    if (on === 'impression') return;
    const none = { gaid: null, idfa: null };
    for (const gaid of [undefined, ZERO])
      expect(await stored(on, { gaid, ip: PUBLIC_IP })).toMatchObject({ ...none, ip: PUBLIC_IP });
    expect(await stored(on, { gaid: undefined, af_ip: '2001:DB8::1' })).toMatchObject({ ...none, ip: '2001:db8::1' });
  });
});

test('CTV reads neither gaid nor idfa, be they ever so bad', async () => {
  await stored('ctv', { gaid: 'x', idfa: 'x', advertising_id: 'x' });
  await stored('ctv', { gaid: '{gaid}', idfa: ZERO });
});

describe.each(ENDPOINTS)('%s: ip', (on) => {
  test.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:00aB', '2001:db8::ab'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8::203.0.113.7', '2001:db8::cb00:7107'],
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.255', '198.51.100.255'],
    ['203.0.113.7', '203.0.113.7'],
  ])('%s is stored as %s', async (ip, kept) => expect(await stored(on, { ip })).toMatchObject({ ip: kept }));

  // test/unit/lib/net-ip.test.ts has what is public; data centres matter for CTV only.
  test.each(
    words('1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 172.32.0.0 223.255.255.255'),
  )('%s, next to what is not public, is', async (ip) => {
    const { body } = await send(s2s, goodRequest(on, { ip }));
    if (on !== 'ctv' || body.status === 'accepted') expect(lastStored(on, body[ID_FIELDS[on]])).toMatchObject({ ip });
    else expect(body.reason).toBe('datacenter_ip');
  });
});

test.each(DEVICES)('%s: an address that is not public is simply not there; one of a data centre is', async (on) => {
  for (const ip of words('10.0.0.1 127.0.0.1 100.64.1.1 ::1 fe80::1 fd00::1 ::ffff:192.168.0.1 nonsense 1.2.3 0.0.0.0'))
    expect(await stored(on, { ip })).toMatchObject({ ip: '', gaid: GAID });
  expect(await stored(on, { ip: '' })).toMatchObject({ ip: '' });
  expect(await stored(on, { ip: '3.5.140.1' })).toMatchObject({ ip: '3.5.140.1' });
  // The name wins, also where its value is no use.
  expect(await stored(on, { ip: '10.0.0.1', af_ip: PUBLIC_IP })).toMatchObject({ ip: '' });
});

describe.each(ENDPOINTS)('%s: time', (on) => {
  const field = TIME_FIELDS[on];
  const at = async (sent: string | undefined) => (await stored(on, { [field]: sent }))[field];

  test.each([0, 1, 999, 60_000, 3_600_000, DAY_MS - 1, DAY_MS])(
    '%i ms ago is taken, by milliseconds and seconds',
    async (ago) => {
      const ms = s2s.clock - ago;
      expect(await at(String(ms))).toBe(ms);
      const seconds = Math.ceil(ms / 1000);
      expect(await at(String(seconds))).toBe(Math.min(seconds * 1000, s2s.clock));
    },
  );

  test.each([DAY_MS + 1, DAY_MS + 1000])('%i ms ago is too old', async (ago) => {
    const reason = on === 'click' ? 'click_too_old' : 'impression_too_old';
    await reject(s2s, goodRequest(on, { [field]: String(s2s.clock - ago) }), 400, reason);
    await reject(s2s, goodRequest(on, { [field]: String(Math.floor((s2s.clock - ago) / 1000)) }), 400, reason);
  });

  test('without one, empty, or in the future: now', async () => {
    const ahead = [1, 60_000, 400 * DAY_MS].map((ms) => String(s2s.clock + ms));
    const seconds = String(Math.floor(s2s.clock / 1000) + 3600);
    for (const sent of [undefined, '', ...ahead, seconds, '9999999999', '9999999999999'])
      expect(await at(sent)).toBe(s2s.clock);
  });

  test('received_at is the time of the request, whatever time it names', async () => {
    expect((await stored(on, { [field]: String(s2s.clock - 3_600_000) })).received_at).toBe(s2s.clock);
  });
});

test.each(VIEWS)(
  '%s: vt_lookback takes hours, with h or bare, and days; 24 hours at most; without one null',
  async (on) => {
    const hours = Array.from({ length: 24 }, (_, i) => i + 1);
    const capped = [...words('1d 2d 30d 25 25h 48h 100 1000000h 1D 25H'), '9'.repeat(256), `${'9'.repeat(255)}d`];
    const cases: readonly (readonly [sent: string | undefined, stored: number | null])[] = [
      ...hours.flatMap((n) => [[String(n), n] as const, [`${n}h`, n] as const, [`0${n}H`, n] as const]),
      ...capped.map((sent) => [sent, 24] as const),
      [undefined, null],
      ['', null],
    ];
    for (const [sent, kept] of cases)
      expect([sent, (await stored(on, { vt_lookback: sent })).vt_lookback]).toEqual([sent, kept]);
  },
);

test.each([
  ['a phone', 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/124.0.0.0 Mobile Safari/537.36', 'mobile'],
  ['a stick that says Mobile', 'Mozilla/5.0 (Linux; Android 9; AFTMM; wv) Chrome/96.0 Mobile Safari/537.36', 'tv'],
  ['a desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/124.0.0.0 Safari/537.36', 'desktop'],
  ['a player that says nothing', 'AcmePlayer/2.1', ''],
])('the device of %s, and of what the CTV endpoint takes: a television', async (_, ua, deviceType) => {
  expect(await stored('click', { ua })).toMatchObject({ device_type: deviceType });
  expect(await stored('impression', { ua })).toMatchObject({ device_type: deviceType });
  expect(await stored('ctv', { ua })).toMatchObject({ device_type: 'tv' });
});

describe('the record of acceptance', () => {
  test.each(ENDPOINTS)('%s: the ID is a function of tid and campaign, and of nothing else', async (on) => {
    const tid = newTid('same');
    const same = [
      ...FORMS.map((form) => goodRequest(on, { tid }, form)),
      goodRequest(on, { tid: undefined, clickid: tid, s2: 'other', ua: 'other', ip: '198.51.100.9' }),
      { ...goodRequest(on, { tid, svc_token: TOKEN }), token: undefined },
    ];
    const others = [
      goodRequest(on, { tid, c: 'second' }),
      ...[tid.toUpperCase(), `${tid} `, `${tid}\0`].map((other) => goodRequest(on, { tid: other })),
    ];
    const ids = await Promise.all([...same, ...others].map((request) => accept(s2s, request)));
    expect(new Set(ids.slice(0, same.length)).size).toBe(1);
    expect(new Set(ids).size).toBe(1 + others.length);
    expect(ids[0]).toMatch(UUID);
    // Where repeats are stored, the earlier has the greater version, which stays.
    const versions = (await s2s.records(on, [ids[0] as string])).map(({ version }) => version as number);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => b - a));
  });

  test('the three endpoints give one tid three IDs', async () => {
    const tid = newTid('everywhere');
    const ids = await Promise.all(ENDPOINTS.map((on) => accept(s2s, goodRequest(on, { tid }))));
    expect(new Set(ids).size).toBe(3);
  });

  test('tids that look alike give different IDs', async () => {
    const alike = [
      ...words('1 01 1.0 \u0661 1:1 11 e\u0301 \u00e9 E\u0301 \u212b \u00c5 null undefined \ufffd \ufffd\ufffd'),
      ...[' 1', '1 ', '1\0', 'constructor', "';--", '%2525', '%', '"', '\\'],
    ];
    const ids = await Promise.all(alike.map((tid) => accept(s2s, goodRequest('click', { tid }))));
    expect(new Set(ids).size).toBe(alike.length);
    expect(s2s.stored.click.slice(-alike.length).map(({ tid }) => tid)).toEqual(alike);
  });
});

test.each(ENDPOINTS)('%s: what is no UTF-8, or no escape, is stored as the URL standard decodes it', async (on) => {
  const values = words(String.raw`
    % %% %a %zz %1 %g1 %%41 %2 100% %u0041 %E0 %E0%A4 %E0%A4% %C0%AF %C1%81 %E0%80%AF %F0%80%80%AF %F4%90%80%80
    %F5%80%80%80 %FF %FE%FF %80 %BF%BF %ED%A0%80 %ED%B0%80 %ED%A0%BD%ED%B8%80 %C3%28 %E2%82 %F0%9F%98 %F0%9F%98%80
    %f0%9f%98%80 a%00b %00 %0D%0A %09 %20 + ++ %2B a+b%20c%2Bd ; a;b=c %3B = a=b %3D %26 %26amp%3B %23 %3F ? ?? / // :
    @ ! $ ' " ( ) * , [ ] { } | \ ^ < > ~ - . _ %E2%80%8F %E2%80%AE %EF%BB%BF %EF%BB%BFx x%EF%BB%BF %E2%80%8B %CC%81
    %F4%8F%BF%BF %EF%BF%BD %EF%BF%BE %EF%BF%BF %5C %5Cu0000 %22 %5CN %27 %C2%A0 %E2%80%A8 %7F %1B %C2%85`);
  const decoded = (value: string) => new URLSearchParams(`v=${value}`).get('v');
  for (const value of values) {
    const good = `${PATHS[on]}?app_id=com.acme.shop&c=AbC123&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
    const tid = newTid() + value;
    const row = await ask(on, `${good}&tid=${tid}&s2=${value}&s3=${value}x&af_sub3=x${value}`);
    const [s2, s3, s4] = [value, `${value}x`, `x${value}`].map(decoded);
    expect(row).toMatchObject({ tid: decoded(tid), s2, s3, s4 });
  }
});

test.each(ENDPOINTS)('%s: takes 2,000 parameters, repeats, empty pairs and stray ampersands', async (on) => {
  const good = `app_id=com.acme.shop&c=AbC123&idfa=${IDFA}&ip=${PUBLIC_IP}&ua=x`;
  const tids = [newTid(), newTid()];
  const many = Array.from({ length: 2_000 }, (_, i) => `&p${i}=v${i}&tid=other${i}&c=other${i}`).join('');
  const queries = [`${good}&tid=${tids[0]}${many}`, `?&&&=&=x&x&${good}&&tid=${tids[1]}&%73%33=s3&&`];
  for (const [i, query] of queries.entries())
    expect(await ask(on, `${PATHS[on]}?${query}`)).toMatchObject({ tid: tids[i], campaign_id: 100, s3: ['', 's3'][i] });
});
