/** Postbacks and webhooks as they are configured: in the workspace document, and by routes of their own. */
import { ownNames } from '../../support/workspace/own-names';
import { readPostgres } from '../../support/postgres';
import { openSealed } from '../../support/deliveries/sealed';
import { sharedService } from '../../support/shared-service';

const own = ownNames('postback-configuration');
const service = sharedService();
const postgres = readPostgres(service);
afterAll(() => postgres.close());

const URL_BASE = 'https://partner.example/pb';
const HOOK = 'https://shop.example/hook';
const SECRET = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;
const NEXT_SECRET = `whsec_${Buffer.alloc(64, 'b').toString('base64')}`;
const install = { event: 'install', method: 'GET', url: `${URL_BASE}?t={tid}` };
const payment = {
  event: 'event:a/b',
  method: 'POST',
  url: URL_BASE,
  headers: { Authorization: 'Bearer credential-1' },
  body: { z: '{tid}', amount: ['{amount}', -0, 1.5] },
  enabled: false,
};

const base = { account: 'Acme', timezone: 'UTC' };
const document = own.document({
  accounts: [{ name: 'Acme' }, { name: 'Beta' }],
  partners: [{ name: 'Mobi', postbacks: [install, payment] }, { name: 'Other' }],
  projects: [
    {
      ...base,
      name: 'Shop',
      reject_suspicious: true,
      postback_overrides: [
        { event: 'install', partner: 'Mobi', withhold: ['device_ids'] },
        { event: 'install', enabled: false },
        { ...payment, partner: 'Other', body: '{"a": {amount}}' },
      ],
      webhooks: [
        { url: HOOK, events: ['*'], secret: SECRET },
        { url: `${HOOK}?token=credential-2`, events: ['install', 'open', 'event:x'], enabled: false },
      ],
    },
    { ...base, account: 'Beta', name: 'Theirs' },
  ],
});

let applied: Record<string, unknown>;
beforeAll(async () => {
  applied = await service.apply(document);
});

const apply = (part: object) => service.admin('PUT', '/workspace', own.document(part));
const shop = (part: object) => apply({ projects: [{ ...base, name: 'Shop', ...part }] });
const templates = async (project: string | null) => {
  const rows = await postgres.rows<{ headers: Record<string, string> }>(
    `SELECT t.*, partners.name AS partner FROM postback_templates AS t
     LEFT JOIN partners ON partners.id = partner_id LEFT JOIN projects ON projects.id = project_id
     WHERE projects.name IS NOT DISTINCT FROM $1 AND (partners.name LIKE 'postback-configuration-%' OR $1 IS NOT NULL)
     ORDER BY t.id`,
    [project && own(project)],
  );
  return rows.map((row) => ({
    ...row,
    headers: Object.fromEntries(
      Object.entries(row.headers).map(([name, text]) => [name, openSealed(service, 'postback headers', text)]),
    ),
  }));
};
const readSecrets = async (url: string) => {
  const rows = await postgres.rows<{ secret: string; valid_until: Date | null }>(
    'SELECT secret, valid_until FROM webhook_secrets JOIN webhooks ON webhooks.id = webhook_id WHERE url = $1 ' +
      'ORDER BY webhook_secrets.id',
    [url],
  );
  return rows.map((row) => ({ ...row, secret: openSealed(service, 'webhook secrets', row.secret) }));
};
/** Rows of this suite: others share the service. */
const NAMED = "name LIKE 'postback-configuration-%'";
const OWN = {
  postback_templates: `coalesce(project_id, -partner_id) IN (
    SELECT id FROM projects WHERE ${NAMED} UNION SELECT -id FROM partners WHERE ${NAMED})`,
  webhooks: `project_id IN (SELECT id FROM projects WHERE ${NAMED})`,
};
const switchOff = (table: keyof typeof OWN) =>
  postgres.rows(`UPDATE ${table} SET switched_off_at = now() WHERE ${OWN[table]}`);
const inUse = async (table: keyof typeof OWN) =>
  (await postgres.rows(`SELECT id FROM ${table} WHERE switched_off_at IS NULL AND ${OWN[table]}`)).length;

describe('the workspace document', () => {
  test('makes what it says, and shows the one secret that it had to generate', async () => {
    expect((applied.secrets as Record<string, unknown>[]).filter(({ kind }) => kind === 'webhook_secret')).toEqual([
      {
        kind: 'webhook_secret',
        project: own('Shop'),
        url: `${HOOK}?token=credential-2`,
        value: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      },
    ]);
    expect(await templates(null)).toEqual([
      expect.objectContaining({ ...install, headers: {}, body: null, withhold: [], enabled: true }),
      expect.objectContaining({ ...payment, body: { z: '{tid}', amount: ['{amount}', 0, 1.5] } }),
    ]);
    expect(await templates('Shop')).toEqual([
      expect.objectContaining({ partner: own('Mobi'), method: null, url: null, withhold: ['device_ids'] }),
      expect.objectContaining({ partner: null, event: 'install', enabled: false }),
      expect.objectContaining({ partner: own('Other'), body: '{"a": {amount}}', switched_off_at: null }),
    ]);
    expect((await readSecrets(HOOK)).map(({ secret }) => secret)).toEqual([SECRET]);
    const { body } = await service.admin('GET', '/projects');
    expect((body.projects as object[]).map((one) => one as { name: string; reject_suspicious: boolean })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: own('Shop'), reject_suspicious: true }),
        expect.objectContaining({ name: own('Theirs'), reject_suspicious: false }),
      ]),
    );
  });

  test('applied again it changes nothing', async () => {
    const { status, body } = await service.admin('PUT', '/workspace', document);
    expect({ status, ...body }).toMatchObject({ status: 200, created: 0, updated: 0, secrets: [], skipped: [] });
  });

  test('what it leaves out stays, but a request is given as a whole; null is a value', async () => {
    expect((await apply({ partners: [{ name: 'Mobi' }], projects: [{ ...base, name: 'Shop' }] })).body).toMatchObject({
      created: 0,
      updated: 0,
    });
    const postbacks = [{ event: payment.event, method: 'POST', url: `${URL_BASE}/2` }];
    expect((await apply({ partners: [{ name: 'Mobi', postbacks }] })).body).toMatchObject({ updated: 1 });
    expect((await templates(null))[1]).toMatchObject({
      url: `${URL_BASE}/2`,
      headers: {},
      body: null,
      enabled: false,
    });
    await apply({ partners: [{ name: 'Mobi', postbacks: [{ ...payment, body: null }] }] });
    expect((await templates(null))[1]).toMatchObject({ url: URL_BASE, body: null });
    await service.apply(document);
  });

  test('what a receiver has switched off is in use again once it is changed, or switched off and on', async () => {
    await switchOff('postback_templates');
    await switchOff('webhooks');
    await service.apply(document);
    expect([await inUse('postback_templates'), await inUse('webhooks')]).toEqual([0, 0]);
    const change = (more: object) => apply({ partners: [{ name: 'Mobi', postbacks: [{ ...install, ...more }] }] });
    await change({ enabled: false });
    expect(await inUse('postback_templates')).toBe(0);
    await change({ enabled: true });
    expect(await inUse('postback_templates')).toBe(1);
    await switchOff('postback_templates');
    await change({ headers: { 'X-A': '1' } });
    expect(await inUse('postback_templates')).toBe(1);
    await shop({ webhooks: [{ url: HOOK, events: ['*'], enabled: false }] });
    await shop({ webhooks: [{ url: HOOK, events: ['*'], enabled: true }] });
    expect(await inUse('webhooks')).toBe(1);
    await apply({ partners: [{ name: 'Mobi', postbacks: [{ ...install, headers: {} }] }] });
  });

  test('a new secret is the newest, the one before signs for a day, and a replaced one stays so', async () => {
    const given = { webhooks: [{ url: HOOK, events: ['*'], secret: NEXT_SECRET }] };
    expect((await shop(given)).body).toMatchObject({ created: 1, secrets: [] });
    const secrets = await readSecrets(HOOK);
    expect(secrets).toEqual([
      { secret: SECRET, valid_until: expect.any(Date) as Date },
      { secret: NEXT_SECRET, valid_until: null },
    ]);
    const hours = ((secrets[0]?.valid_until?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24.1);
    expect((await shop(given)).body).toMatchObject({ created: 0, updated: 0 });
    expect((await shop({ webhooks: [{ url: HOOK, events: ['*'], secret: SECRET }] })).body).toMatchObject({
      created: 0,
      skipped: [{ kind: 'webhook_secret', project: own('Shop'), url: HOOK, reason: 'replaced' }],
    });
    expect(await readSecrets(HOOK)).toEqual(secrets);
  });

  const partner = (...postbacks: object[]) => ({ partners: [{ name: 'Mobi', postbacks }] });
  const project = (part: object) => ({ projects: [{ ...base, name: 'Shop', ...part }] });
  const override = (...postback_overrides: object[]) => project({ postback_overrides });
  const hook = (...webhooks: object[]) => project({ webhooks });
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...install, event: `event:${i}` }));
  const hooks = (count: number) => Array.from({ length: count }, (_, i) => ({ url: `${HOOK}/${i}`, events: ['*'] }));
  const at = 'partners[0].postbacks[0]';
  const of = 'projects[0].postback_overrides[0]';
  const onHook = 'projects[0].webhooks[0]';
  const secretText = 'must be whsec_ and Base64 of 24 to 64 bytes';

  test.each<[string, object, string]>([
    ['an event without a name', partner({ ...install, event: 'event:' }), `${at}.event: must match pattern`],
    ['21 webhooks', hook(...hooks(21)), 'projects[0].webhooks: must NOT have more than 20 items'],
    ['a user in a URL', partner({ ...install, url: 'https://a:b@c.example' }), `${at}.url: must be an http or https`],
    ['an unknown macro', partner({ ...install, url: `${URL_BASE}?{tld}` }), `${at}.url: there is no macro {tld}`],
    ['a macro in a host', partner({ ...install, url: 'https://{c}.example' }), `${at}.url: scheme, host and port`],
    ['a header of others', partner({ ...install, headers: { Host: 'a' } }), `${at}.headers: "Host" is none of`],
    ['a body of a GET', partner({ ...install, body: 'a' }), `${at}.body: a GET has none`],
    ['an event twice', partner(install, install), 'partners[0].postbacks: "install" is there twice'],
    ['101 with those before', partner(...many(99)), 'partners[0].postbacks: there may be at most 100'],
    ['an unknown partner', override({ event: 'install', partner: 'Nobody' }), `${of}.partner: no partner is named`],
    ['an URL without method', override({ event: 'signup', url: URL_BASE }), `${of}.method: is required with url`],
    ['a method without URL', override({ event: 'signup', method: 'GET' }), `${of}.url: is required with method`],
    ['headers alone', override({ event: 'signup', headers: { Accept: '*' } }), `${of}.method: is required with url`],
    [
      'an override twice',
      override({ event: 'signup', partner: 'Mobi' }, { event: 'signup', partner: 'Mobi' }),
      `projects[0].postback_overrides: "signup of ${own('Mobi')}" is there twice`,
    ],
    ['201 with those before', override(...many(200)), 'projects[0].postback_overrides: there may be at most 200'],
    ['a macro in a webhook', hook({ url: `${HOOK}?{tid}`, events: ['*'] }), `${onHook}.url: must be without macros`],
    ['another scheme', hook({ url: 'ws://a.example', events: ['*'] }), `${onHook}.url: must be an http or https`],
    ['all and one', hook({ url: HOOK, events: ['*', 'open'] }), `${onHook}.events: "*" stands alone`],
    ['a short secret', hook({ url: HOOK, events: ['*'], secret: 'whsec_YQ==' }), `${onHook}.secret: ${secretText}`],
    ['no secret', hook({ url: HOOK, events: ['*'], secret: SECRET.slice(6) }), `${onHook}.secret: ${secretText}`],
    ['a webhook twice', hook(...hooks(1), ...hooks(1)), `projects[0].webhooks: "${HOOK}/0" is there twice`],
    ['21 with those before', hook(...hooks(19)), 'projects[0].webhooks: there may be at most 20'],
  ])('with %s is refused, and nothing is changed', async (_, part, msg) => {
    const before = [await templates(null), await templates('Shop'), await readSecrets(HOOK)];
    const { status, body } = await apply(part);
    expect({ status, ...body }).toEqual({ status: 400, msg: expect.stringContaining(msg) as string });
    expect(body.msg as string).toMatch(/^(partners|projects)\[0\]/);
    expect([await templates(null), await templates('Shop'), await readSecrets(HOOK)]).toEqual(before);
  });
});
