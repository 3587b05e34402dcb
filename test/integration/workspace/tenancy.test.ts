/**
 * Two accounts that distrust each other, with the same app, partner, campaign codes, event names and device: whatever
 * one does, the other sees the same as before, and nothing of the other is shown (SECURITY.md).
 */
import crypto from 'node:crypto';
import { decided } from '../../support/attribution/attribution';
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { readBrowser, readOperator, findPerson, type Browser } from '../../support/people/person';
import { idByName } from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const own = ownNames('tenancy');
/** Everything that is the victim's alone has this in its name. */
const SECRET = 'zebra';
const GAID = '11111111-2222-4333-8444-555555555555';
const IDFA = '11111111-2222-4333-8444-666666666666';
const APP = 'com.tenancy';

const side = (name: string, secret: string) => ({
  name,
  account: name,
  timezone: 'UTC',
  website: `https://${secret}.example`,
  web_campaigns: true,
  server_keys: [`server-${name}`],
  app_keys: [`app-${name}`],
  web_keys: [`web-${name}`],
  apps: [{ platform: 'ANDROID', app_id: APP }],
  domains: [{ name: `go.${name}.example`, primary: true }],
  store_listings: [{ store_listing_id: 'play', name: `Play ${secret}`, platform: 'ANDROID' }],
  network_accounts: [{ network: 'META', external_customer_id: 'act_1', name: `Meta ${secret}` }],
  partner_switches: [{ partner: 'Both', s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: [APP] }],
  campaigns: [{ display_id: 'same', name: `Launch ${secret}`, partner: 'Both', custom_channel: `Channel ${secret}` }],
  webhooks: [{ url: `https://hooks.${secret}.example/x`, events: ['*'] }],
  postback_overrides: [
    { event: 'install', partner: 'Both', method: 'GET', url: `https://postback.${secret}.example/?t={tid}` },
  ],
});
const workspace = own.document({
  accounts: [{ name: 'victim' }, { name: 'attacker' }],
  partners: [{ name: 'Both', tokens: ['both'] }, { name: 'Theirs' }],
  projects: [side('victim', SECRET), side('attacker', 'horse')],
});

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly example: unknown;
}
type Ids = Readonly<
  Record<'account' | 'project' | 'partner' | 'key' | 'domain' | 'app' | 'listing' | 'webhook', number>
>;

let operator: Browser;
let operations: Operation[];
let victim: Ids;
let owner: Browser;
const attackers = new Map<string, Browser>();

async function accountNamed(name: string): Promise<number> {
  const { body } = await service.admin('GET', '/accounts');
  return (body.accounts as { id: number; name: string }[]).find((one) => one.name === own(name))?.id as number;
}

async function readIds(name: string): Promise<Ids> {
  const project = await idByName(service, 'projects', own(name));
  const first = async (list: string) => {
    const { body } = await service.admin('GET', `/projects/${project}/${list}`);
    return (body[list] as { id: number }[])[0]?.id as number;
  };
  return {
    account: await accountNamed(name),
    project,
    partner: await idByName(service, 'partners', own('Both')),
    key: await first('keys'),
    domain: await first('domains'),
    app: await first('apps'),
    listing: await first('store_listings'),
    webhook: await first('webhooks'),
  };
}

beforeAll(async () => {
  await service.apply(workspace);
  victim = await readIds('victim');
  const { account } = await readIds('attacker');
  operator = await readOperator(service, 'tenancy@adtrail.example');
  const person = (role: string, place: object, at = 'attacker') =>
    findPerson(service, operator, role, place, `${role}@${at}-tenancy.example`);
  owner = await person('owner', { account_id: victim.account }, 'victim');
  for (const role of ['owner', 'admin', 'analyst', 'viewer', 'engineer'])
    attackers.set(role, await person(role, { account_id: account }));
  const theirs = await idByName(service, 'partners', own('Theirs'));
  for (const role of ['partner_admin', 'partner_viewer'])
    attackers.set(role, await person(role, { partner_id: theirs }));
  attackers.set('nobody', readBrowser(service));

  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      example: requestBody && (Object.values(requestBody.content)[0]?.example ?? {}),
    })),
  );

  // The same device on both sides, and one that only the victim knows.
  await Promise.all(
    (['victim', 'attacker'] as const).map((name) =>
      collectApp(
        service,
        [
          appEvent('install', { app_id: APP, install_id: own(`install of ${name}`), gaid: GAID }),
          appEvent('event', { app_id: APP, install_id: own(`install of ${name}`), name: 'level_up', gaid: GAID }),
        ],
        { 'service-key': own(`server-${name}`) },
      ),
    ),
  );
  const only = appEvent('install', { app_id: APP, install_id: `${SECRET}-only`, gaid: IDFA, user: { id: SECRET } });
  await collectApp(service, [only], { 'service-key': own('server-victim') });
  await decided(service, [own('install of victim'), own('install of attacker'), `${SECRET}-only`]);
});

/** What belongs to whoever asks, or to nobody: anyone may. */
const OWN_OR_PUBLIC = new RegExp(
  [
    '^/(v1/|collect/|qr$|$|\\{display_id\\}|adtrail\\.js|\\.well-known|openapi|docs|healthz|readyz)',
    '^/auth/v1/(me|sessions|providers|sign-|oidc|links/|password-link|first-link)',
  ].join('|'),
);
/** Lists of what a person may see: theirs is in them, and nothing of the victim's. */
const LISTS = new Set(
  ['accounts', 'partners', 'exchange_rates', 'projects', 'status'].map((name) => `/admin/v1/${name}`),
);

/** A path with the victim's things in it. */
const aimed = ({ path }: Operation): string => {
  const parameters: Record<string, unknown> = {
    id: path.startsWith('/admin/v1/partners') ? victim.partner : victim.project,
    install_id: `${SECRET}-only`,
    display_id: 'same',
    kind: path.includes('/devices/') ? 'gaid' : 'clicks',
    value: IDFA,
    key_id: victim.key,
    domain_id: victim.domain,
    app: victim.app,
    listing: victim.listing,
    webhook: victim.webhook,
    partner_id: victim.partner,
    slug: `channel_${SECRET}`,
    event: 'install',
    user: 'reader',
    receipt_id: crypto.randomUUID(),
    name: 'x',
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
};
const REQUIRED = { from: '2026-01-01', to: '2026-01-02', format: 'csv', dimension: 'campaign' };
const aimedQuery = () =>
  new URLSearchParams({
    ...REQUIRED,
    account_id: String(victim.account),
    project_id: String(victim.project),
    device_identifier: IDFA,
    display_id: 'same',
    url: 'https://go.victim.example/same',
  }).toString();
const aimedBody = ({ example }: Operation): unknown =>
  typeof example !== 'object'
    ? example
    : {
        ...(example as object),
        ...('role' in (example as object) ? { account_id: victim.account, partner_id: undefined } : {}),
      };
const HEADERS = { 'project-id': () => String(victim.project), 'partner-id': () => String(victim.partner) };
const aimedHeaders = () => Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, value()]));

/** What changes by itself. */
const VOLATILE = /(_at|_until|until|since|seconds|age|lag|watermark|used|last_use|rows_left|reason)$/;
const settled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one: unknown) => (VOLATILE.test(key) ? undefined : one)));

/** Partners and exchange rates are of the whole installation: suites that run beside this one add theirs. */
function withoutOtherSuites(path: string, body: Json): Json {
  if (path === '/admin/v1/exchange_rates') return {};
  if (path !== '/admin/v1/partners') return body;
  return { partners: (body.partners as { name: string }[]).filter(({ name }) => name.includes(own(''))) };
}

/** Everything that the victim's owner can read. */
async function seenByVictim(): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const operation of operations) {
    if (operation.method !== 'GET' || OWN_OR_PUBLIC.test(operation.path) || /status|doctor|ingest/.test(operation.path))
      continue;
    const path = `${aimed(operation)}?${aimedQuery()}`;
    const { status, body } = await owner.send('GET', path, undefined, aimedHeaders());
    seen[operation.path] = settled({ status, body: withoutOtherSuites(operation.path, body) });
  }
  return seen;
}

/** The victim's messages lead nowhere, and are given up soon: until then what it sees changes by itself. */
const MESSAGES = 3; // of two installs and an event
const messagesAreGivenUp = () =>
  eventually('no message waits', async () => {
    const made = `SELECT uniqExact(postback_id) AS n FROM adtrail.postbacks WHERE project_id = ${victim.project}`;
    if (Number((await service.rows<{ n: string }>(made))[0]?.n) < MESSAGES) return undefined;
    const { body } = await owner.send('GET', `/admin/v1/projects/${victim.project}/postbacks/pending`);
    return body.pending === 0 ? true : undefined;
  });

/** The service looks at a domain by itself some time: that has been before anything is compared. */
async function domainsAreLookedAt(): Promise<void> {
  const at = `/admin/v1/projects/${victim.project}/domains`;
  const { domains } = (await owner.send('GET', at)).body as { domains: { id: number }[] };
  for (const { id } of domains) expect((await owner.send('POST', `${at}/${id}/check`)).status).toBe(200);
}

test('whatever the other account does, the victim sees what it saw before and is shown to nobody', async () => {
  await Promise.all([messagesAreGivenUp(), domainsAreLookedAt()]);
  const before = await seenByVictim();
  // The owner does see something, or there would be nothing to compare.
  expect(Object.values(before).filter((one) => (one as { status: number }).status === 200).length).toBeGreaterThan(20);
  expect(JSON.stringify(before)).toContain(SECRET);

  const wrong: string[] = [];
  for (const [role, browser] of attackers) {
    for (const operation of operations) {
      const { method, path } = operation;
      if (OWN_OR_PUBLIC.test(path) || (role === 'nobody' && method === 'GET' && path === '/')) continue;
      const query = method === 'GET' ? `?${aimedQuery()}` : '';
      const { status, body, response } = await browser.send(
        method,
        `${aimed(operation)}${query}`,
        aimedBody(operation),
        aimedHeaders(),
      );
      const isRefused = [400, 401, 403, 404, 409, 415, 422, 429].includes(status);
      if (!isRefused && !(LISTS.has(path) && status === 200)) wrong.push(`${role} ${method} ${path}: ${status}`);
      const text = JSON.stringify(body) + JSON.stringify([...response.headers]);
      if (text.includes(SECRET) && !path.includes('{install_id}')) wrong.push(`${role} ${method} ${path} shows it`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await seenByVictim()).toEqual(before);
}, 300_000);

test('an engineer learns what waits of the own projects, and nothing of the machines', async () => {
  const worker = 'web-visitors';
  const aside = { worker, state: 'dismissed', reason: 'made up' };
  const seenBy = async (browser: Browser) => {
    const { status, body } = await browser.send('GET', '/admin/v1/status');
    const { quarantine, ingest } = body as {
      quarantine: { worker: string; state: string; entities: number }[];
      ingest: object;
    };
    const dismissed = quarantine.filter((one) => one.worker === worker && one.state === 'dismissed');
    const text = JSON.stringify(body);
    return { status, aside: dismissed.reduce((sum, { entities }) => sum + entities, 0), ingest, text };
  };
  const [engineer, whole] = [attackers.get('engineer') as Browser, operator];
  const before = await seenBy(whole);
  await service.clickhouse.insert({
    table: 'adtrail.quarantine',
    values: [victim, { project: await idByName(service, 'projects', own('attacker')) }, victim].map(
      ({ project }, i) => ({ ...aside, project_id: project, entity: own(`${i}`), set_aside_at: 0 }),
    ),
    format: 'JSONEachRow',
  });
  expect(await seenBy(engineer)).toMatchObject({ status: 200, aside: 1, ingest: { processes: [] } });
  expect((await seenBy(engineer)).text).not.toMatch(/free_mb|last_seconds_ago/);
  const all = await seenBy(whole);
  expect(all.aside - before.aside).toBeGreaterThanOrEqual(3);
  // Suites that run beside this one have processes of their own.
  expect((all.ingest as { processes: object[] }).processes).toContainEqual(expect.objectContaining({ state: 'alive' }));
});

test('large documents are read from the admin token only', async () => {
  const send = (body: string, headers: Record<string, string>) =>
    service.request(`/admin/v1/projects/${victim.project}`, { method: 'PUT', body, headers });
  const person = { Cookie: owner.cookie, Origin: service.url };
  const token = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const long = JSON.stringify({ name: 'x'.repeat(1_100_000) });
  const many = JSON.stringify({ name: Array.from({ length: 50_001 }, () => 123) });
  for (const body of [long, many]) {
    expect((await send(body, person)).status).toBe(413);
    expect((await send(body, token)).status).toBe(400);
  }
});

test("nobody takes the victim's domain or app ID", async () => {
  const secretApp = `com.${SECRET}.app`;
  const added = await owner.send('PUT', `/admin/v1/projects/${victim.project}`, {
    apps: [{ platform: 'ANDROID', app_id: secretApp }],
    domains: [{ name: `wait.${SECRET}.example` }],
  });
  expect(added.status).toBe(200);
  await messagesAreGivenUp();
  const before = await seenByVictim();
  const { project } = await readIds('attacker');
  for (const role of ['owner', 'admin']) {
    const put = async (body: object) => {
      const { status, body: answer } = await (attackers.get(role) as Browser).send(
        'PUT',
        `/admin/v1/projects/${project}`,
        body,
      );
      return { status, text: JSON.stringify(answer) };
    };
    const taken = await put({ apps: [{ platform: 'ANDROID', app_id: secretApp }] });
    expect(taken).toEqual({ status: 409, text: '{"msg":"This app ID belongs to another account.","status":409}' });
    // The operator gave both accounts the same app: each may change its own.
    expect((await put({ apps: [{ platform: 'ANDROID', app_id: APP }] })).status).toBe(200);
    expect((await put({ domains: [{ name: own('go.victim.example') }] })).status).toBe(400);
    // Both may wait for a name that nobody has proven.
    expect((await put({ domains: [{ name: `wait.${SECRET}.example`, primary: true }] })).status).toBe(200);
  }
  expect(await seenByVictim()).toEqual(before);
});

test('what the other account tells of the same device, app and campaign stays with that account', async () => {
  await messagesAreGivenUp();
  const before = await seenByVictim();
  const key = { 'service-key': own('server-attacker') };
  const events = [
    appEvent('payment', { app_id: APP, install_id: own('install of victim'), gaid: GAID, amount: 5, currency: 'EUR' }),
    appEvent('install', { app_id: APP, install_id: `${SECRET}-only`, gaid: IDFA }),
    appEvent('event', { app_id: APP, install_id: `${SECRET}-only`, name: 'level_up' }),
  ];
  expect(await collectApp(service, events, key)).toMatchObject({ accepted: 3 });
  await service.apply(own.document({ projects: [{ ...side('attacker', 'horse'), reject_suspicious: true }] }));
  const row = {
    date: '2026-01-01',
    network: '',
    campaign_id: 'same',
    impressions: 1,
    clicks: 1,
    spend: 9,
    currency: 'EUR',
  };
  const spend = await service.request('/collect/v1/spend', {
    method: 'PUT',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ rows: [row] }),
  });
  expect(await spend.json()).toEqual({ accepted: 1, rejected: [] });
  await decided(service, [`${SECRET}-only`]);
  expect(await seenByVictim()).toEqual(before);
});
