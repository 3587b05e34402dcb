/** One project: it gets another name, and loses apps and store listings that nothing names any more. */
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { DESKTOP, openLink } from '../../support/links/links';
import { ownNames } from '../../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../../support/people/person';
import { idByName } from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const own = ownNames('admin-project');
const service = sharedService();
const DOMAIN = own('go.example');
const KEY = own('key');
const PLAY = 'https://play.google.com/store/apps/details?id=com.project';
const campaign = (display_id: string, more: object = {}) => ({ display_id, name: display_id, ...more });

const document = own.document({
  accounts: [{ name: 'Acme' }, { name: 'Beta' }],
  partners: [{ name: 'Mobi Ads' }],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'UTC',
      server_keys: ['key'],
      domains: [{ name: 'go.example', primary: true }],
      apps: [
        { platform: 'ANDROID', app_id: 'com.project' },
        { platform: 'ANDROID', app_id: 'com.project.old' },
        { platform: 'IOS', app_id: 'id4711', team_id: 'TEAM123456', bundle_id: 'example.project' },
      ],
      store_listings: [
        { store_listing_id: 'play', name: 'Play', platform: 'ANDROID', url: PLAY },
        { store_listing_id: 'spare', name: 'Spare', platform: 'ANDROID', url: `${PLAY}.spare` },
      ],
      partner_switches: [{ partner: 'Mobi Ads', s2s_traffic: true, ctv_apps: ['com.project', 'id4711'] }],
      campaigns: [
        ...['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => campaign(id, { store_listings: ['play'] })),
        campaign('c6', { store_listings: ['play'], active: false }),
        campaign('plain'),
      ],
    },
    { name: 'Other', account: 'Acme', timezone: 'UTC', apps: [{ platform: 'ANDROID', app_id: 'com.other' }] },
    { name: 'Theirs', account: 'Beta', timezone: 'UTC' },
  ],
});
const SHOP = document.projects[0] as (typeof document.projects)[number];

let shop: number;
let operator: Browser;

beforeAll(async () => {
  await service.apply(document);
  shop = await idByName(service, 'projects', own('Shop'));
  operator = await readOperator(service, 'admin-project@adtrail.example');
});

const put = (body: object, id = shop) => service.admin('PUT', `/projects/${id}`, body);
const list = async (name: string, id = shop) =>
  (await service.admin('GET', `/projects/${id}/${name}`)).body[name] as ({ id: number } & Record<string, unknown>)[];
const readId = async (name: string, field: string, value: string) =>
  (await list(name)).find((one) => one[field] === value)?.id as number;
const names = async (name: string, field: string) => (await list(name)).map((one) => one[field]);
const done = (counts: object) => ({ status: 200, body: { skipped: [], secrets: [], created: 0, ...counts } });
const refused = (status: number, msg: string) => ({ status, body: { msg, status } });

async function accountId(name: string): Promise<number> {
  const { body } = await service.admin('GET', '/accounts');
  return (body.accounts as { id: number; name: string }[]).find((one) => one.name === own(name))?.id as number;
}

/** What the audit log says of the latest change of a subject. */
async function logged(subject: string) {
  const id = await accountId('Acme');
  const { body } = await operator.send('GET', `/auth/v1/audit-log?account_id=${id}&subject=${subject}&limit=1`);
  const [entry] = body.entries as Record<string, unknown>[];
  const { action, name, before, after, project_id } = entry ?? {};
  return { action, name, before, after, project_id };
}

describe('a new name', () => {
  const renamed = own('Renamed Shop');

  test('is there at once, in the audit log and in ClickHouse; all else stays', async () => {
    expect(await put({ name: renamed })).toEqual(done({ updated: 1, unchanged: 0 }));
    expect(await idByName(service, 'projects', renamed)).toBe(shop);
    expect(await names('apps', 'app_id')).toEqual(['com.project', 'com.project.old', 'id4711']);
    expect(await logged('projects')).toEqual({
      action: 'change',
      name: renamed,
      before: { name: own('Shop') },
      after: { name: renamed },
      project_id: shop,
    });
    await eventually('ClickHouse has the name', async () => {
      const [row] = await service.rows(`SELECT name FROM adtrail.projects FINAL WHERE project_id = ${shop}`);
      return row?.name === renamed ? true : undefined;
    });
    const keyed = await service.request('/api/v1/campaigns', { headers: { 'service-key': KEY } });
    expect(keyed.status).toBe(200);
  });

  test('the same again changes nothing; with another field one project is changed', async () => {
    expect(await put({ name: renamed })).toEqual(done({ updated: 0, unchanged: 1 }));
    expect(await put({ name: renamed, currency: 'EUR' })).toEqual(done({ updated: 1, unchanged: 0 }));
  });

  test('that another project of the account has is refused, and nothing of the request is done', async () => {
    const msg = `body.name: ${JSON.stringify(own('Other'))} is another project of the account`;
    expect(await put({ name: own('Other'), timezone: 'Asia/Tokyo' })).toEqual(refused(400, msg));
    const { body } = await service.admin('GET', '/projects');
    const project = (body.projects as { id: number }[]).find(({ id }) => id === shop);
    expect(project).toMatchObject({ name: renamed, timezone: 'UTC' });
    // In another account it is free.
    const theirs = await idByName(service, 'projects', own('Theirs'));
    expect(await put({ name: own('Other') }, theirs)).toEqual(done({ updated: 1, unchanged: 0 }));
  });

  test('of a space is none', async () => {
    expect(await put({ name: ' ' })).toEqual(refused(400, 'name: must match pattern "\\S"'));
  });

  test('a workspace document goes by the new name; one with the former name finds no project', async () => {
    const base = { account: own('Acme'), timezone: 'UTC' };
    expect(await service.apply({ projects: [{ ...base, name: renamed }] })).toMatchObject({ created: 0, updated: 0 });
    // It would make a second project, which cannot have the keys, domains and campaigns of the first.
    const { server_keys, domains, campaigns } = SHOP;
    for (const [part, msg] of [
      [{ server_keys }, 'projects[0].server_keys[0]: this secret belongs to somebody else'],
      [{ domains }, `projects[0].domains: ${JSON.stringify(DOMAIN)} belongs to another project`],
      [{ campaigns }, 'projects[0].campaigns[0].display_id: "c1" belongs to another project of the account'],
    ] as const)
      expect(await service.admin('PUT', '/workspace', { projects: [{ ...base, name: own('Shop'), ...part }] })).toEqual(
        refused(400, msg),
      );
    const { body } = await service.admin('GET', '/projects');
    expect((body.projects as { name: string }[]).map(({ name }) => name)).not.toContain(own('Shop'));
  });
});

describe('a store listing', () => {
  const remove = async (listing: string) =>
    service.admin('DELETE', `/projects/${shop}/store_listings/${await readId('store_listings', 'name', listing)}`);

  test('that campaigns name stays, and the answer says which campaigns', async () => {
    const before = await logged('store_listings');
    expect(await remove('Play')).toEqual(
      refused(409, 'Still in store_listings of campaigns: c1, c2, c3, c4, c5 and more.'),
    );
    expect(await names('store_listings', 'store_listing_id')).toEqual(['play', 'spare']);
    expect(await logged('store_listings')).toEqual(before);
    await put({ campaigns: ['c1', 'c2', 'c3'].map((id) => campaign(id, { store_listings: [] })) });
    expect(await remove('Play')).toEqual(refused(409, 'Still in store_listings of campaigns: c4, c5, c6.'));
  });

  test('that nothing names goes at once, is in the audit log, and comes again with a document', async () => {
    await put({ campaigns: ['c4', 'c5'].map((id) => campaign(id, { store_listings: ['spare'] })) });
    const deleted = await service.request('/api/v1/campaigns/c6', {
      method: 'DELETE',
      headers: { 'service-key': KEY },
    });
    expect(deleted.status).toBe(204);
    const { location } = await openLink(service, '/plain', { host: DOMAIN, ua: DESKTOP });
    expect(location).toBe(PLAY);
    expect((await remove('Play')).status).toBe(204);
    expect(await names('store_listings', 'store_listing_id')).toEqual(['spare']);
    // Links without listings of their own lead to the next one.
    expect((await openLink(service, '/plain', { host: DOMAIN, ua: DESKTOP })).location).toBe(`${PLAY}.spare`);
    expect(await logged('store_listings')).toMatchObject({
      action: 'delete',
      name: 'Play',
      before: { store_listing_id: 'play', url: PLAY },
      after: null,
      project_id: shop,
    });
    expect(await put({ store_listings: SHOP.store_listings })).toMatchObject({ body: { created: 1 } });
  });

  test('that the project does not have is 404', async () => {
    const other = await idByName(service, 'projects', own('Other'));
    const play = await readId('store_listings', 'name', 'Play');
    for (const at of [`${other}/store_listings/${play}`, `${shop}/store_listings/x`, '999999/store_listings/1'])
      expect(await service.admin('DELETE', `/projects/${at}`)).toEqual(refused(404, 'Store listing not found.'));
  });
});

describe('an app', () => {
  const remove = async (app: string) =>
    service.admin('DELETE', `/projects/${shop}/apps/${await readId('apps', 'app_id', app)}`);
  const send = (id: string) =>
    collectApp(service, [appEvent('install', { app_id: 'com.project.old', install_id: own(id), event_id: own(id) })], {
      'service-key': KEY,
    });
  const associated = async () =>
    (await openLink(service, '/.well-known/apple-app-site-association', { host: DOMAIN })).text;

  test('that a partner has CTV on for stays, and the answer says which partner', async () => {
    expect(await remove('id4711')).toEqual(refused(409, `Still in ctv_apps of partners: ${own('Mobi Ads')}.`));
    expect(await names('apps', 'app_id')).toContain('id4711');
    expect(await associated()).toContain('TEAM123456.example.project');
  });

  test('goes once nothing names it, and links open it no more', async () => {
    await put({ partner_switches: [{ partner: own('Mobi Ads'), ctv_apps: ['com.project'] }] });
    expect((await remove('id4711')).status).toBe(204);
    expect(await names('apps', 'app_id')).toEqual(['com.project', 'com.project.old']);
    expect(await associated()).not.toContain('TEAM123456');
    expect(await logged('apps')).toMatchObject({ action: 'delete', name: 'id4711', after: null, project_id: shop });
  });

  test('what it sent stays; what it sends from now on is refused, until it is added again', async () => {
    expect((await send('before')).rejected).toEqual([]);
    const query = `SELECT app_id FROM analytics.app_events WHERE install_id = '${own('before')}'`;
    const isStored = async () => (await service.rows(query)).length === 1 || undefined;
    await eventually('the install is stored', isStored);
    expect((await remove('com.project.old')).status).toBe(204);
    expect((await send('after')).rejected).toEqual([
      expect.objectContaining({ reason: 'unknown_app', field: 'app_id' }) as unknown,
    ]);
    expect(await isStored()).toBe(true);
    await put({ apps: [{ platform: 'ANDROID', app_id: 'com.project.old' }] });
    expect((await send('again')).rejected).toEqual([]);
  });

  test('that the project does not have is 404', async () => {
    const other = await idByName(service, 'projects', own('Other'));
    const app = await readId('apps', 'app_id', 'com.project');
    for (const at of [`${other}/apps/${app}`, `${shop}/apps/com.project`, '999999/apps/1'])
      expect(await service.admin('DELETE', `/projects/${at}`)).toEqual(refused(404, 'App not found.'));
  });
});

describe('a domain', () => {
  test('that is deleted ends its links, and its campaigns use the primary one', async () => {
    const alt = own('alt.example');
    const listed = async () => {
      const response = await service.request('/api/v1/campaigns', { headers: { 'service-key': KEY } });
      const { campaigns } = ((await response.json()) as { data: { campaigns: Record<string, unknown>[] } }).data;
      return campaigns.find((one) => one.display_id === 'alt')?.domain;
    };
    const open = async () => (await openLink(service, '/alt', { host: alt, ua: DESKTOP })).status;
    await put({ domains: [{ name: alt }], campaigns: [campaign('alt', { domain: alt })] });
    const id = { alt: await readId('domains', 'name', alt), primary: await readId('domains', 'name', DOMAIN) };
    const remove = (domain: unknown) => service.admin('DELETE', `/projects/${shop}/domains/${String(domain)}`);
    expect([await open(), await listed()]).toEqual([302, alt]);
    expect(await remove(id.primary)).toEqual(refused(409, 'Make another domain the primary one first.'));
    expect((await remove(id.alt)).status).toBe(204);
    expect([await open(), await listed()]).toEqual([404, DOMAIN]);
    for (const wrong of [id.alt, 999_999_999, 'x'])
      expect(await remove(wrong)).toEqual(refused(404, 'Domain not found.'));
    // The last one goes too, and another can come.
    expect((await remove(id.primary)).status).toBe(204);
    expect(await names('domains', 'name')).toEqual([]);
    await put({ domains: [{ name: DOMAIN, primary: true }] });
    expect(await listed()).toBe(DOMAIN);
  });
});

test('admins of the account do all of that; who may less, or is of another account, does not', async () => {
  const person = async (role: string, account: string) =>
    findPerson(service, operator, role, { account_id: await accountId(account) }, `${own(role)}-${account}@x.example`);
  await put({
    apps: [{ platform: 'ANDROID', app_id: 'com.brief' }],
    store_listings: [{ store_listing_id: 'brief', name: 'Brief', platform: 'IOS' }],
  });
  const at = `/admin/v1/projects/${shop}`;
  const requests = [
    ['PUT', at, { name: own('By a person') }],
    ['DELETE', `${at}/apps/${await readId('apps', 'app_id', 'com.brief')}`],
    ['DELETE', `${at}/store_listings/${await readId('store_listings', 'name', 'Brief')}`],
  ] as const;
  for (const [role, account, statuses] of [
    ['analyst', 'Acme', [403, 403, 403]],
    ['owner', 'Beta', [404, 404, 404]],
    ['admin', 'Acme', [200, 204, 204]],
  ] as const) {
    const browser = await person(role, account);
    for (const [i, [method, path, body]] of requests.entries())
      expect([role, path, (await browser.send(method, path, body)).status]).toEqual([role, path, statuses[i]]);
  }
});

describe('a project that an account makes itself', () => {
  const body = (more: object = {}) => ({ account: own('Acme'), name: own('Made'), timezone: 'Europe/Berlin', ...more });

  test('has keys that work at once; who may not change settings there makes none', async () => {
    const account_id = await accountId('Acme');
    const person = (role: string) =>
      findPerson(service, operator, role, { account_id }, `${role}-made@admin-project.example`);
    const owner = await person('owner');
    const make = async (who: Browser, more?: object) => {
      const { status, body: answer } = await who.send('POST', '/admin/v1/projects', body(more));
      return { status, body: answer };
    };
    const made = await make(owner, { currency: 'EUR', website: 'https://made.example' });
    expect(made).toMatchObject({ status: 201, body: { name: own('Made') } });
    const secrets = made.body.secrets as { kind: string; value: string }[];
    expect(secrets.map(({ kind }) => kind)).toEqual(['server_key', 'app_key', 'web_key']);
    const keyed = await service.request('/api/v1/campaigns', {
      headers: { 'service-key': secrets[0]?.value as string },
    });
    expect(keyed.status).toBe(200);
    const { body: seen } = await owner.send('GET', '/admin/v1/projects');
    expect((seen.projects as { id: number }[]).some(({ id }) => id === made.body.id)).toBe(true);
    expect(await make(owner)).toEqual(refused(409, `The account has a project "${own('Made')}" already.`));
    expect(await make(owner, { account: own('Beta') })).toEqual(refused(404, 'Account not found.'));
    expect((await make(owner, { name: own('Nowhere'), timezone: 'Mars/Base' })).body.msg).toMatch(/^body\.timezone: /);
    expect(await make(await person('analyst'), { name: own('No') })).toEqual(
      refused(403, 'Your role does not allow this.'),
    );
  });
});

describe('a document that is only looked at', () => {
  test('says what would change as the audit log would, and changes nothing', async () => {
    const change = own.document({
      partners: [{ name: 'Looked At' }],
      projects: [{ name: 'Made', account: 'Acme', timezone: 'Europe/Berlin', website: 'https://looked.example' }],
    });
    const preview = (document: object) => service.admin('PUT', '/workspace?dry_run=true', document);
    const first = await preview(change);
    expect(first).toMatchObject({
      status: 200,
      body: { dry_run: true, created: 2, updated: 1, secrets: [], changed: 3 },
    });
    expect(first.body.changes).toEqual(
      expect.arrayContaining([
        {
          action: 'change',
          subject: 'projects',
          name: own('Made'),
          before: { website: 'https://made.example' },
          after: { website: 'https://looked.example' },
        },
      ]),
    );
    expect((await preview(change)).body.changed).toBe(3);
    expect((await preview({ projects: [{ name: 'x', account: 'Nobody', timezone: 'UTC' }] })).status).toBe(400);
    const { body } = await service.admin('GET', '/partners');
    expect(JSON.stringify(body)).not.toContain(own('Looked At'));
    // The audit log says whom the IDs in its fields stand for.
    const of = `account_id=${await accountId('Acme')}&project_id=${shop}`;
    const query = `${of}&subject=partner_switches&action=create&limit=1`;
    const log = (await operator.send('GET', `/auth/v1/audit-log?${query}`)).body;
    const [{ after }] = log.entries as [{ after: { partner_id: number } }];
    expect(log.names).toMatchObject({ partner_id: { [after.partner_id]: own('Mobi Ads') } });
  });
});

describe('a file of exchange rates', () => {
  const send = async (text: string, query = '') => {
    const answer = await service.request(`/admin/v1/exchange_rates${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'text/csv' },
      body: text,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const stored = async (date: string) =>
    (
      (await service.admin('GET', '/exchange_rates')).body.exchange_rates as { date: string; currency: string }[]
    ).filter((one) => one.date === date && ['XAF', 'XPF'].includes(one.currency));

  test('of the European Central Bank is looked at, stored, and stored once', async () => {
    const file = 'Date,USD,XAF,XPF,\n1999-03-05,1.0800,540,N/A,\n1999-03-04,1.05,500,\n1999-03-03,,500,\n';
    const counts = { format: 'ecb', currencies: ['EUR', 'XAF'], from: '1999-03-05', to: '1999-03-05' };
    const query = '&from=1999-03-05';
    expect(await send(file, `?dry_run=true${query}`)).toEqual({
      status: 200,
      body: { dry_run: true, created: 2, updated: 0, unchanged: 0, refused: 0, rows: [], ...counts },
    });
    expect(await stored('1999-03-05')).toEqual([]);
    expect((await send(file, `?dry_run=false${query}`)).body).toMatchObject({ created: 2 });
    expect(await stored('1999-03-05')).toEqual([{ date: '1999-03-05', currency: 'XAF', usd: 0.002 }]);
    expect((await send(file, `?dry_run=false${query}`)).body).toMatchObject({ created: 0, unchanged: 2 });
  });

  test('names what is wrong with it', async () => {
    expect((await send('date,currency,usd\n1999-04-01,EURO,1')).body).toMatchObject({
      refused: 1,
      rows: [{ line: 2, msg: 'currency: must be a currency code of three letters' }],
    });
    expect((await send('nothing')).body.msg).toMatch(/^Invalid CSV body: the columns date, currency, usd are missing/);
    expect((await send('', '?from=yesterday')).body.msg).toBe('from: must be a day, written YYYY-MM-DD');
  });
});
