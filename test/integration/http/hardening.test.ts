/**
 * One request must not hold the process: sizes, counts and depths are bounded before the work, and long work lets
 * others run (docs/contract/running.md). In the end requests of all kinds are mutated: whatever is sent, nothing is an
 * internal error.
 */
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { appEvent, post, type Collected, type Json } from '../../support/collect/collect-client';
import { heldFor } from '../../support/http/event-loop';
import { documentedRoutes, mutatedRequests, sendMutated } from '../../support/http/mutated-requests';
import { ownNames } from '../../support/workspace/own-names';
import { ADMIN_TOKEN, type RunningService } from '../../support/service';
import { rounds } from '../../support/soak';
import { sharedService, startBeside } from '../../support/shared-service';
import { GOOGLEBOT, openLink } from '../../support/links/links';

const own = ownNames('hardening');
const DOMAIN = own('go.acme.example');
const APP_KEY = own('app-key');
const SERVER_KEY = own('server-key');
const WEBSITE = 'https://acme.example/home';
const workspace = own.document({
  accounts: [{ name: 'Acme' }],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'UTC',
      website: WEBSITE,
      web_campaigns: true,
      server_keys: ['server-key'],
      app_keys: ['app-key'],
      web_keys: ['web-key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.hardening.shop' }],
      domains: [{ name: 'go.acme.example' }],
      campaigns: [{ display_id: 'web', name: 'Web' }],
    },
  ],
});

/** Far from any measured attack, which took seconds, and above what a busy machine adds by itself at most times. */
const HELD_MS = 250;
/** For requests of all kinds at once; as their mutations are numbered, a failure is repeated by the seed. */
const FUZZ_HELD_MS = 1_000;
const SEED = 20_260_301;

const shared = sharedService();
let service: RunningService;
beforeAll(async () => {
  const off = { LIMIT_IP: 'off', LIMIT_DATA: 'off', LIMIT_MANAGEMENT: 'off', LIMIT_REPORTING: 'off' };
  service = await startBeside(shared, off);
  await service.apply(workspace);
});
afterAll(() => service?.dispose());

/** Does the work, which must hold the process for less than HELD_MS. */
const quickly = async (work: () => Promise<void>): Promise<void> =>
  expect(await heldFor(service, work, HELD_MS)).toBeLessThan(HELD_MS);

const event = (more: Json = {}) => appEvent('open', { app_id: 'com.hardening.shop', ...more });
const collect = (body: string | Buffer, headers: Record<string, string> = {}) =>
  post(service, body, { 'app-key': APP_KEY, ...headers });
const gzip = { 'Content-Encoding': 'gzip' };
const spend = async (body: string | Buffer, type: string) => {
  const response = await service.request('/collect/v1/spend', {
    method: 'PUT',
    headers: { 'service-key': SERVER_KEY, 'Content-Type': type },
    body: body as RequestInit['body'],
  });
  return { status: response.status, body: (await response.json()) as Json };
};
/** Whether the events with these IDs are stored. */
const stored = async (ids: readonly string[]) => {
  const rows = await service.rows<{ event_id: string }>(
    `SELECT DISTINCT event_id FROM adtrail.app_events WHERE event_id IN (${ids.map((id) => `'${id}'`).join()})`,
  );
  return rows.map((row) => row.event_id).sort();
};

/** The status line and body of an answer to these bytes. */
function send(bytes: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    // Not ended here: the service closes, after it has answered.
    const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () =>
      resolve({ status: Number(text.slice(9, 12)), body: text.slice(text.indexOf('\r\n\r\n') + 4) }),
    );
    socket.write(bytes, 'latin1');
  });
}

describe('tracking links', () => {
  const names = (n: number) => Array.from({ length: n }, (_, i) => `utm_${i.toString(36)}=1`).join('&');

  test.each([
    ['GET', ''],
    ['HEAD', ''],
    ['GET', GOOGLEBOT],
  ])('%s with ten thousand UTM names is 431 (user agent %j)', async (method, ua) => {
    await quickly(async () => {
      const answer = await openLink(service, `/?c=web&${names(10_000)}`, { host: DOMAIN, method, ua });
      expect(answer.status).toBe(431);
      if (method === 'GET')
        expect(JSON.parse(answer.text)).toEqual({ msg: 'The request line must be at most 8 kB.', status: 431 });
    });
  });

  test('a request line of 8 kB passes, with every UTM name in it, and one byte more does not', async () => {
    const line = 'GET  HTTP/1.1'.length;
    const path = `/?c=web&${names(900)}&x=`;
    const filled = path + 'y'.repeat(8 * 1024 - line - path.length);
    await quickly(async () => {
      const answer = await openLink(service, filled, { host: DOMAIN });
      expect(answer.status).toBe(302);
      expect(new URL(answer.location as string).searchParams.size).toBe(900);
    });
    expect((await openLink(service, `${filled}y`, { host: DOMAIN })).status).toBe(431);
  });

  test('a host with a dot at its end is the same host', async () => {
    for (const host of [`${DOMAIN}.`, `${DOMAIN.toUpperCase()}.:8080`]) {
      expect((await send(`GET /?c=web HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status).toBe(302);
      expect((await send(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status).toBe(302);
    }
  });
});

describe('targets', () => {
  test.each(['/healthz', '/admin/v1/projects', '/no/such/path'])(
    'a request line over 8 kB is 431 for %s',
    async (path) => {
      const answer = await send(`GET ${path}?x=${'y'.repeat(8_200)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        431,
        { msg: 'The request line must be at most 8 kB.', status: 431 },
      ]);
    },
  );

  test.each(['/v1/click', '/api/v1/campaigns', '/api/v1/reporting/web-campaigns'])(
    'more than five thousand parameters are 400 for %s',
    async (path) => {
      await quickly(async () => {
        for (const part of ['%', 'a', '%ff=%ff']) {
          const target = `${path}?${`${part}&`.repeat(120_000 / (part.length + 1))}`;
          const answer = await send(`GET ${target} HTTP/1.1\r\nConnection: close\r\n\r\n`);
          expect([answer.status, JSON.parse(answer.body)]).toEqual([
            400,
            { msg: 'A request takes at most 5000 parameters.', status: 400 },
          ]);
        }
      });
    },
  );

  test('thousands of malformed escapes are decoded without an exception for each', async () => {
    await quickly(async () => {
      for (const part of ['%', '%ff=%ff', 'a%=%e2%28']) {
        const target = `/v1/click?${Array.from({ length: 4_000 }, (_, i) => `${part}${i}`).join('&')}`;
        const answer = await send(`GET ${target} HTTP/1.1\r\nConnection: close\r\n\r\n`);
        expect(JSON.parse(answer.body)).toEqual({ status: 'rejected', reason: 'missing_token' });
      }
    });
  });

  test.each(['[', '', 'x'.repeat(20_000)].map((host, i) => [i, host] as const))(
    'a Host of nonsense is no internal error (%i)',
    async (_, host) => {
      for (const [path, key, status] of [
        ['/api/v1/campaigns', '', 401],
        ['/api/v1/campaigns?page=2', SERVER_KEY, 200],
        ['/api/v1/reporting/web-campaigns?page=0', SERVER_KEY, 422],
        ['/collect/v1/web', '', 405],
        ['/healthz', '', 200],
      ] as const)
        expect([
          path,
          (await send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nservice-key: ${key}\r\nConnection: close\r\n\r\n`))
            .status,
        ]).toEqual([path, status]);
      const posted = await send(
        `POST /collect/v1/web HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect(posted.status).toBe(401);
    },
  );
});

describe('bodies', () => {
  test('twenty small ones that unpack to millions of values are 413 and hold nothing up', async () => {
    const bomb = gzipSync(`{"events":[${'{},'.repeat(1_700_000)}{}]}`);
    expect(bomb.length).toBeLessThan(6_000);
    const good = event();
    let answers: Collected[] = [];
    await quickly(async () => {
      answers = await Promise.all(Array.from({ length: 20 }, () => collect(bomb, gzip)));
      expect(await collect(JSON.stringify({ events: [good] }))).toMatchObject({ status: 202, accepted: 1 });
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(413));
    expect(answers[0]?.body.msg).toBe('The body must have at most 250000 values.');
    expect(await stored([good.event_id as string])).toEqual([good.event_id]);
  });

  test('an event that is nested thousands of levels deep is refused by itself', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const levels of [40, 6_000, 100_000]) {
      const [before, after] = [event(), event()];
      const bad = JSON.stringify(event({ device: 'HERE' })).replace('"HERE"', `{"a":${deep(levels)}}`);
      const answer = await collect(`{"events":[${JSON.stringify(before)},${bad},${JSON.stringify(after)}]}`);
      expect(answer).toMatchObject({
        status: 202,
        accepted: 2,
        rejected: [{ index: 1, reason: 'invalid_field', field: '' }],
      });
      const ids = [before.event_id as string, after.event_id as string];
      expect(await stored(ids)).toEqual(ids.sort());
    }
    const row = `{"date":"2026-03-01","campaign_id":"web","spend":1,"currency":"USD","more":${deep(6_000)}}`;
    expect(await spend(`{"rows":[${row}]}`, 'application/json')).toMatchObject({
      status: 200,
      body: { accepted: 0, rejected: [{ index: 0, reason: 'invalid_field', field: '' }] },
    });
    const created = await service.request('/api/v1/create-campaign', {
      method: 'POST',
      headers: { 'service-key': SERVER_KEY },
      body: `{"name":"x","more":${deep(6_000)}}`,
    });
    expect([created.status, await created.json()]).toEqual([400, { msg: 'Invalid JSON body.', status: 400 }]);
  });

  test('a batch as large as one may be is taken in slices', async () => {
    const events = Array.from({ length: 1_000 }, (_, i) => event({ device: { note: '\\"[{,'.repeat(700), i } }));
    const body = JSON.stringify({ events });
    expect(body.length).toBeGreaterThan(4_000_000);
    let answers: Collected[] = [];
    await quickly(async () => {
      answers = await Promise.all([collect(body), collect(gzipSync(body), gzip)]);
    });
    expect(answers.map(({ status, accepted, rejected }) => [status, accepted, rejected])).toEqual([
      [202, 1_000, []],
      [202, 1_000, []],
    ]);
    const [{ notes } = { notes: 0 }] = await service.rows<{ notes: number }>(
      `SELECT toUInt32(uniqExact(JSONExtractInt(device, 'i'))) AS notes FROM adtrail.app_events
        WHERE event_id IN (${events.map((one) => `'${one.event_id as string}'`).join()})
          AND JSONExtractString(device, 'note') = repeat('\\\\"[{,', 700)`,
    );
    expect(notes).toBe(1_000);
  });

  test('what is no JSON is 400, wherever in a large body it is wrong', async () => {
    const events = Array.from({ length: 1_000 }, () => JSON.stringify(event({ device: { x: 'x'.repeat(200) } })));
    const whole = events.join();
    for (const body of [
      `{"events":[${whole}`,
      `{"events":[${whole}]`,
      `{"events":[${whole},]}`,
      `{"events":[${whole}{}]}`,
      `{"events":[${whole}]]}`,
      `{"events":[${whole}]}}`,
      `{"events":[${whole},{"a":[}]}]}`,
      `{"events":[${whole},{"a" 1}]}`,
      `{"events":[${whole},{"__proto__":{}}]}`,
      `{"events":[${whole}],"__proto__":[1]}`,
      `{"events":[${whole}],"x":"}`,
    ])
      expect((await collect(body)).body).toEqual({ msg: 'Invalid JSON body.', status: 400 });
  });

  test('without a good key a body is not even read', async () => {
    const bomb = gzipSync(`{"events":[${'{},'.repeat(1_700_000)}{}]}`);
    await quickly(async () => {
      for (const key of ['app-key', 'service-key'])
        expect((await post(service, bomb, { ...gzip, [key]: 'wrong' })).status).toBe(401);
    });
  });
});

describe('CSV', () => {
  test.each([
    ['200,000 columns', `${Array.from({ length: 200_000 }, (_, i) => `c${i}`).join()}\n${'x,'.repeat(200_000)}\n`],
    ['201 columns', `${Array.from({ length: 201 }, (_, i) => `c${i}`).join()}\nx\n`],
    ['a row of a million columns', `date\n${','.repeat(1_000_000)}\n`],
    ['a field of a million characters', `date\n${'x'.repeat(1_000_000)}\n`],
  ])('%s: 400', async (_, text) => {
    await quickly(async () => {
      const { status, body } = await spend(text, 'text/csv');
      expect([status, body]).toEqual([
        400,
        { status: 400, msg: expect.stringMatching(/^Invalid CSV body: .+/) as string },
      ]);
    });
  });

  test('ten thousand rows are taken in slices', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `2026-03-01,web,as-${i},${'n'.repeat(200)},1.5,USD`);
    const text = `date,campaign_id,ad_set_id,ad_set_name,spend,currency\n${rows.join('\n')}\n`;
    await quickly(async () => {
      expect(await spend(text, 'text/csv')).toMatchObject({ status: 200, body: { accepted: 10_000, rejected: [] } });
    });
  });
});

test('a workspace of many campaigns is parsed like one of a few', async () => {
  const campaigns = Array.from({ length: 2_000 }, (_, i) => ({ display_id: `many-${i}`, name: 'Many "[{,' }));
  const response = await service.request('/admin/v1/workspace', {
    method: 'PUT',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(
      own.document({ projects: [{ name: 'Shop', account: 'Acme', timezone: 'UTC', campaigns }] }),
    ).padEnd(200_000),
  });
  expect([response.status, await response.json()]).toMatchObject([200, { created: 2_000 }]);
});

test('whatever is sent: no internal error, no good event lost, no hold of the event loop, good health', async () => {
  const fuzz = ownNames('fuzz');
  await service.apply(
    fuzz.document({
      accounts: [{ name: 'Acme' }],
      partners: [{ name: 'Mobi', tokens: ['token'] }],
      projects: [
        {
          ...workspace.projects[0],
          name: 'Shop',
          account: 'Acme',
          server_keys: ['server'],
          app_keys: ['app'],
          web_keys: ['web'],
          apps: [{ platform: 'ANDROID', app_id: 'com.fuzz' }],
          domains: [{ name: 'go.acme.example' }],
          partner_switches: [{ partner: 'Mobi', s2s_clicks: true }],
          campaigns: [{ display_id: 'web', name: 'Web', partner: 'Mobi' }],
        },
      ],
    }),
  );
  const keys = {
    'service-key': fuzz('server'),
    'app-key': fuzz('app'),
    'web-key': fuzz('web'),
    'x-service-token': fuzz('token'),
    authorization: `Bearer ${ADMIN_TOKEN}`,
  };
  const request = mutatedRequests(await documentedRoutes(service), keys, fuzz('go.acme.example'));
  const good: string[] = [];
  const collectGood = async () => {
    const one = appEvent('open', { app_id: 'com.fuzz' });
    const { status } = await post(service, JSON.stringify({ events: [one] }), { 'app-key': keys['app-key'] });
    expect(status).toBe(202);
    good.push(one.event_id as string);
  };
  const statuses = new Set<number | undefined>();
  const held = await heldFor(service, () =>
    fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 16 }), async (requests) => {
        const sent = requests.map((one) => sendMutated(service, one));
        const [answers] = await Promise.all([Promise.all(sent), collectGood()]);
        for (const status of answers) {
          statuses.add(status);
          if (status === 500) throw new Error('An internal error');
        }
      }),
      { seed: SEED, numRuns: rounds(60, 180), endOnFailure: true },
    ),
  );
  expect((await service.request('/healthz')).status).toBe(200);
  // The mutations reach all kinds of answers.
  for (const status of [200, 202, 302, 400, 401, 404, 413, 431]) expect(statuses).toContain(status);
  expect(held).toBeLessThan(FUZZ_HELD_MS);
  expect(await stored(good)).toEqual(good.sort());
}, 600_000);

test('nothing of this was an internal error', () => expect(service.output()).not.toMatch(/Error:|A request failed/));
