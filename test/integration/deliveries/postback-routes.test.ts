/** Postbacks and webhooks one by one: who may what, what is answered, and what the audit log says of it. */
import { ownNames } from '../../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { openSealed } from '../../support/deliveries/sealed';
import { sharedService } from '../../support/shared-service';

const own = ownNames('postback-routes');
const service = sharedService();
const postgres = readPostgres(service);
afterAll(() => postgres.close());

const URL_BASE = 'https://partner.example/pb';
const HOOK = 'https://acme.example/hook';
const pixel = { method: 'GET', url: `${URL_BASE}?t={tid}` };
const full = {
  method: 'POST',
  url: `${URL_BASE}?api_token=credential-1&t={tid}`,
  headers: { Authorization: 'Bearer credential-2' },
  body: { key: 'credential-3', amount: '{amount}' },
};
const base = { account: 'Acme', timezone: 'UTC' };

let operator: Browser;
let [mobi, other, shop, theirs] = [0, 0, 0, 0];

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Beta' }],
      partners: [{ name: 'Mobi' }, { name: 'Other' }],
      projects: [
        { ...base, name: 'Shop' },
        { ...base, account: 'Beta', name: 'Theirs' },
      ],
    }),
  );
  [mobi, other] = [await idByName(service, 'partners', own('Mobi')), await idByName(service, 'partners', own('Other'))];
  [shop, theirs] = [
    await idByName(service, 'projects', own('Shop')),
    await idByName(service, 'projects', own('Theirs')),
  ];
  operator = await readOperator(service, 'postback-routes@adtrail.example');
});

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
const send = (method: Method, path: string, body?: object) => service.admin(method, path, body);
const refused = (status: number, msg: string) => ({ status, body: { msg, status } });
const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
const id = expect.any(Number) as number;
const signature = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string;
const ofPartner = (end = '', partner = mobi) => `/partners/${partner}/postbacks${end}`;
const ofProject = (end = '', project = shop) => `/projects/${project}/postback_overrides${end}`;
const hooks = (end = '', project = shop) => `/projects/${project}/webhooks${end}`;

async function accountId(name: string): Promise<number> {
  const { body } = await service.admin('GET', '/accounts');
  return (body.accounts as { id: number; name: string }[]).find((one) => one.name === own(name))?.id as number;
}

describe('the postbacks of a partner', () => {
  const event = encodeURIComponent('event:a/b ü');
  const stored = { id, event: 'event:a/b ü', enabled: true, created_at: time, switched_off_at: null };

  test('are set, listed, replaced and deleted', async () => {
    expect(await send('PUT', ofPartner(`/${event}`), full)).toEqual({ status: 200, body: { ...stored, ...full } });
    const replaced = { ...stored, ...pixel, headers: {}, body: null, enabled: false };
    expect(await send('PUT', ofPartner(`/${event}`), { ...pixel, enabled: false })).toEqual({
      status: 200,
      body: replaced,
    });
    expect(await send('GET', ofPartner())).toEqual({ status: 200, body: { postbacks: [replaced] } });
    expect(await send('GET', ofPartner('', other))).toEqual({ status: 200, body: { postbacks: [] } });
    expect((await send('DELETE', ofPartner(`/${event}`))).status).toBe(204);
    expect(await send('DELETE', ofPartner(`/${event}`))).toEqual(refused(404, 'Postback not found.'));
  });

  test('one that its receiver has switched off is in use again once it is set, unless it is set off', async () => {
    const put = (enabled: boolean) => send('PUT', ofPartner('/install'), { ...pixel, enabled });
    await put(true);
    await postgres.rows('UPDATE postback_templates SET switched_off_at = now() WHERE partner_id = $1', [mobi]);
    expect((await put(false)).body).toMatchObject({ enabled: false, switched_off_at: time });
    expect((await put(true)).body).toMatchObject({ enabled: true, switched_off_at: null });
    await send('DELETE', ofPartner('/install'));
  });

  test.each<[string, string, object, string]>([
    ['an unknown event', 'open', pixel, 'event: must be one of install, reinstall,'],
    ['a line break in it', 'event:a%0Ab', pixel, 'event: must be one of'],
    ['an unknown macro', 'install', { ...pixel, url: `${URL_BASE}?{x}` }, 'url: there is no macro {x}'],
    ['a header of others', 'install', { ...pixel, headers: { Host: 'a' } }, 'headers: "Host" is none of'],
    ['no URL', 'install', { method: 'GET' }, 'body: "url" is required'],
    ['something to withhold', 'install', { ...pixel, withhold: [] }, 'body: unknown field "withhold"'],
  ])('%s is refused', async (_, name, body, msg) => {
    const answer = await send('PUT', ofPartner(`/${name}`), body);
    expect(answer).toEqual(refused(400, expect.stringContaining(msg) as string));
    expect((await send('GET', ofPartner())).body.postbacks).toEqual([]);
  });

  test('of no partner are not found', async () => {
    for (const [method, end, body] of [
      ['GET', ''],
      ['PUT', '/install', pixel],
      ['DELETE', '/install'],
      ['POST', '/preview', pixel],
    ] as const)
      expect(await send(method, ofPartner(end, 999_999), body)).toEqual(refused(404, 'Partner not found.'));
  });
});

describe('what a project overrides', () => {
  test('is set for one partner or for all, listed and deleted', async () => {
    const forMobi = `/install?partner_id=${mobi}`;
    const [all, one] = [
      await send('PUT', ofProject('/install'), { enabled: false }),
      await send('PUT', ofProject(forMobi), { ...full, withhold: ['amounts'] }),
    ];
    const stored = { id, event: 'install', created_at: time, switched_off_at: null };
    const nothing = { method: null, url: null, headers: {}, body: null, withhold: [] };
    expect(all.body).toEqual({ ...stored, ...nothing, partner_id: null, partner: null, enabled: false });
    expect(one.body).toEqual({
      ...stored,
      ...full,
      withhold: ['amounts'],
      partner_id: mobi,
      partner: own('Mobi'),
      enabled: true,
    });
    expect((await send('GET', ofProject())).body).toEqual({ postback_overrides: [all.body, one.body] });
    expect((await send('GET', ofProject('', theirs))).body).toEqual({ postback_overrides: [] });
    // The partner's own template of the event is another one.
    expect((await send('GET', ofPartner())).body).toEqual({ postbacks: [] });
    expect((await send('DELETE', ofProject(forMobi))).status).toBe(204);
    expect((await send('GET', ofProject())).body).toEqual({ postback_overrides: [all.body] });
    expect(await send('DELETE', ofProject(forMobi))).toEqual(refused(404, 'Postback override not found.'));
    expect((await send('DELETE', ofProject('/install'))).status).toBe(204);
  });

  test.each<[string, string, object, string]>([
    ['an unknown event', '/opened', {}, 'event: must be one of'],
    ['a partner that is no number', '/install?partner_id=x', {}, 'partner_id: must be a whole number'],
    ['an URL alone', '/install', { url: URL_BASE }, 'method: is required with url, headers or body'],
    ['a method alone', '/install', { method: 'GET' }, 'url: is required with method, headers or body'],
  ])('%s is refused', async (_, end, body, msg) => {
    expect(await send('PUT', ofProject(end), body)).toEqual(refused(400, expect.stringContaining(msg) as string));
  });

  test('of no project, and for no partner, is not found', async () => {
    for (const [method, end, body] of [
      ['GET', ''],
      ['PUT', '/install', {}],
      ['DELETE', '/install'],
      ['POST', '/preview', pixel],
    ] as const)
      expect(await send(method, ofProject(end, 999_999), body)).toEqual(refused(404, 'Project not found.'));
    expect(await send('PUT', ofProject('/install?partner_id=999999'), {})).toEqual(refused(404, 'Partner not found.'));
  });
});

test('a preview shows the request with sample values, refuses what cannot be saved, and stores nothing', async () => {
  const form = { ...full, headers: { 'X-A': '{user_id}' }, body: 'a={amount}&n={campaign_name}' };
  for (const at of [ofPartner('/preview'), ofProject('/preview')]) {
    expect(await send('POST', at, full)).toEqual({
      status: 200,
      body: {
        method: 'POST',
        url: `${URL_BASE}?api_token=credential-1&t=click-1`,
        headers: { ...full.headers, 'Content-Type': 'application/json' },
        body: '{"key":"credential-3","amount":"499.5"}',
      },
    });
    expect((await send('POST', at, form)).body).toMatchObject({
      headers: { 'X-A': 'user-1', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=499.5&n=Launch%20%26%20more',
    });
    expect(await send('POST', at, { ...full, body: '{nope}' })).toEqual(refused(400, 'body: there is no macro {nope}'));
  }
  expect((await send('GET', ofPartner())).body.postbacks).toEqual([]);
});

describe('webhooks', () => {
  const given = { url: HOOK, events: ['install', 'event:x'] };
  const stored = { id, ...given, enabled: true, created_at: time, switched_off_at: null };
  const readSecrets = async (webhook: number) => {
    const rows = await postgres.rows<{ secret: string; valid_until: Date | null }>(
      'SELECT secret, valid_until FROM webhook_secrets WHERE webhook_id = $1 ORDER BY id',
      [webhook],
    );
    return rows.map((row) => ({ ...row, secret: openSealed(service, 'webhook secrets', row.secret) }));
  };

  test('one is made and shows its secret once, is changed, and its secret rotated', async () => {
    const made = await send('POST', hooks(), given);
    expect(made).toEqual({ status: 201, body: { ...stored, secret: signature } });
    const { id: webhook, secret } = made.body as { id: number; secret: string };
    expect((await send('GET', hooks())).body).toEqual({ webhooks: [stored] });
    const changed = { url: `${HOOK}/2`, events: ['*'] };
    expect(await send('PUT', hooks(`/${webhook}`), { ...changed, enabled: false })).toEqual({
      status: 200,
      body: { ...stored, ...changed, enabled: false },
    });
    const rotated = await send('POST', hooks(`/${webhook}/rotate`));
    expect(rotated).toEqual({ status: 201, body: { secret: signature, former_valid_until: time } });
    const hours = (Date.parse(rotated.body.former_valid_until as string) - Date.now()) / 3_600_000;
    expect([hours > 23.9, hours < 24.1]).toEqual([true, true]);
    expect(await readSecrets(webhook)).toEqual([
      { secret, valid_until: new Date(rotated.body.former_valid_until as string) },
      { secret: rotated.body.secret, valid_until: null },
    ]);
    expect(JSON.stringify((await send('GET', hooks())).body)).not.toContain('whsec_');
    expect((await send('DELETE', hooks(`/${webhook}`))).status).toBe(204);
    expect(await readSecrets(webhook)).toEqual([]);
    expect(await send('DELETE', hooks(`/${webhook}`))).toEqual(refused(404, 'Webhook not found.'));
  });

  test('one that its receiver has switched off is in use again once it is set on, or has another URL', async () => {
    const { id: webhook } = (await send('POST', hooks(), given)).body as { id: number };
    const put = async (more: object) =>
      (await send('PUT', hooks(`/${webhook}`), { ...given, ...more })).body.switched_off_at;
    const switchOff = () => postgres.rows('UPDATE webhooks SET switched_off_at = now() WHERE id = $1', [webhook]);
    await switchOff();
    expect(await put({ enabled: false })).toEqual(time);
    expect(await put({ enabled: true })).toBeNull();
    await switchOff();
    expect(await put({ enabled: false, url: `${HOOK}/3` })).toBeNull();
    await send('DELETE', hooks(`/${webhook}`));
  });

  test('what is not one is refused: a URL twice, the twenty-first, what has another form', async () => {
    const { id: first } = (await send('POST', hooks(), given)).body as { id: number };
    const taken = refused(409, 'The project has a webhook of this URL.');
    expect(await send('POST', hooks(), given)).toEqual(taken);
    const ids = [first];
    for (let i = 1; i < 20; i += 1)
      ids.push(((await send('POST', hooks(), { ...given, url: `${HOOK}/${i}` })).body as { id: number }).id);
    expect(await send('PUT', hooks(`/${ids[1]}`), given)).toEqual(taken);
    expect(await send('POST', hooks(), { ...given, url: `${HOOK}/20` })).toEqual(
      refused(400, 'webhooks: there may be at most 20'),
    );
    for (const [body, msg] of [
      [{ ...given, url: `${HOOK}?{tid}` }, 'url: must be without macros'],
      [{ ...given, url: 'ftp://acme.example' }, 'url: must be an http or https URL'],
      [{ ...given, events: ['*', 'install'] }, 'events: "*" stands alone'],
      [{ ...given, events: ['rejected', 'closed'] }, 'events[1]: must match pattern'],
      [{ ...given, secret: 'whsec_' }, 'body: unknown field "secret"'],
    ] as const)
      for (const [method, end] of [
        ['POST', ''],
        ['PUT', `/${first}`],
      ] as const)
        expect(await send(method, hooks(end), body)).toEqual(refused(400, expect.stringContaining(msg) as string));
    for (const one of ids) await send('DELETE', hooks(`/${one}`));
  });

  test('of another project are not found', async () => {
    const { id: webhook } = (await send('POST', hooks(), given)).body as { id: number };
    for (const [method, end, body] of [
      ['PUT', '', given],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const)
      expect(await send(method, hooks(`/${webhook}${end}`, theirs), body)).toEqual(refused(404, 'Webhook not found.'));
    expect(await send('POST', hooks('', 999_999), given)).toEqual(refused(404, 'Project not found.'));
    expect(await send('GET', hooks('', 999_999))).toEqual(refused(404, 'Project not found.'));
    await send('DELETE', hooks(`/${webhook}`));
  });

  test('an Idempotency-Key makes one, and one secret', async () => {
    const headers = { 'Idempotency-Key': own('create') };
    const first = await operator.send('POST', `/admin/v1${hooks()}`, given, headers);
    const again = await operator.send('POST', `/admin/v1${hooks()}`, given, headers);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    await send('DELETE', hooks(`/${(first.body as { id: number }).id}`));
  });
});

describe('roles', () => {
  const [inAcme, inBeta, ofMobi, ofOther] = ['Acme', 'Beta', 'Mobi', 'Other'];

  test.each<[string, string | undefined, number, number, number]>([
    ['owner', inAcme, 200, 404, 404],
    ['admin', inAcme, 200, 404, 404],
    ['analyst', inAcme, 403, 404, 404],
    ['viewer', inAcme, 403, 404, 404],
    ['engineer', inAcme, 403, 404, 404],
    ['owner', inBeta, 404, 404, 404],
    ['partner_admin', ofMobi, 404, 200, 200],
    ['partner_viewer', ofMobi, 404, 200, 403],
    ['partner_admin', ofOther, 404, 404, 404],
  ])('%s of %s', async (role, place, settings, reading, changing) => {
    const where = role.startsWith('partner')
      ? { partner_id: place === 'Mobi' ? mobi : other }
      : { account_id: await accountId(String(place)) };
    const person = await findPerson(service, operator, role, where, `${own(role)}-${place}@x.example`);
    const { id: webhook } = (await send('POST', hooks(), { url: HOOK, events: ['*'] })).body as { id: number };
    await send('PUT', ofPartner('/refund'), pixel);
    await send('PUT', ofProject('/refund'), {});
    const ask = async (method: Method, path: string, body?: object) => {
      const { status } = await person.send(method, `/admin/v1${path}`, body);
      return status < 300 ? 200 : status;
    };
    for (const [method, path, body, expected] of [
      ['GET', ofProject(), undefined, settings],
      ['PUT', ofProject('/refund'), {}, settings],
      ['POST', ofProject('/preview'), pixel, settings],
      ['DELETE', ofProject('/refund'), undefined, settings],
      ['GET', hooks(), undefined, settings],
      ['POST', hooks(), { url: `${HOOK}/role`, events: ['*'] }, settings],
      ['POST', hooks(`/${webhook}/rotate`), undefined, settings],
      ['PUT', hooks(`/${webhook}`), { url: HOOK, events: ['*'] }, settings],
      ['DELETE', hooks(`/${webhook}`), undefined, settings],
      ['GET', ofPartner(), undefined, reading],
      ['POST', ofPartner('/preview'), pixel, reading],
      ['PUT', ofPartner('/refund'), pixel, changing],
      ['DELETE', ofPartner('/refund'), undefined, changing],
    ] as const)
      expect([method, path, await ask(method, path, body)]).toEqual([method, path, expected]);
    const left = (await send('GET', hooks())).body.webhooks as { id: number }[];
    for (const one of left) await send('DELETE', hooks(`/${one.id}`));
    await send('DELETE', ofPartner('/refund'));
    await send('DELETE', ofProject('/refund'));
  });
});

test('the audit log has every change and no secret', async () => {
  const [{ id: last } = { id: 0 }] = await postgres.rows<{ id: number }>('SELECT max(id) AS id FROM audit_log');
  await operator.send('PUT', `/admin/v1${ofPartner('/payment')}`, full);
  const other_key = { ...full, headers: { Authorization: 'Bearer credential-4' } };
  await operator.send('PUT', `/admin/v1${ofPartner('/payment')}`, other_key);
  await operator.send('PUT', `/admin/v1${ofProject(`/payment?partner_id=${mobi}`)}`, { withhold: ['amounts'] });
  await operator.send('DELETE', `/admin/v1${ofPartner('/payment')}`);
  const hook = { url: `${HOOK}?secret=credential-5`, events: ['*'] };
  const made = await operator.send('POST', `/admin/v1${hooks()}`, hook);
  const webhook = (made.body as { id: number }).id;
  await operator.send('POST', `/admin/v1${hooks(`/${webhook}/rotate`)}`);
  await operator.send('DELETE', `/admin/v1${hooks(`/${webhook}`)}`);

  const query = `account_id=${await accountId('Acme')}&limit=1000`;
  const { body } = await operator.send('GET', `/auth/v1/audit-log?${query}`);
  const entries = (body.entries as Record<string, unknown>[]).filter((one) => (one.id as number) > last).reverse();
  const blanked = expect.stringMatching(
    /^https:\/\/acme\.example\/hook\?secret=\.\.\. \(set, [0-9a-f]{4}\)$/,
  ) as string;
  expect(entries.map(({ subject, action, name }) => [subject, action, name])).toEqual([
    ['postback_templates', 'create', 'payment'],
    ['webhooks', 'create', blanked],
    ['webhook_secrets', 'create', blanked],
    ['webhook_secrets', 'change', blanked],
    ['webhook_secrets', 'create', blanked],
    ['webhook_secrets', 'delete', blanked],
    ['webhook_secrets', 'delete', blanked],
    ['webhooks', 'delete', blanked],
  ]);
  expect(entries.every(({ actor, project_id }) => actor === 'user' && project_id === shop)).toBe(true);

  // A partner's own templates are of no account: operators read what becomes of them.
  const all = await operator.send('GET', '/auth/v1/audit-log?subject=postback_templates&limit=1000');
  const ofMobi = (all.body.entries as Record<string, unknown>[])
    .filter((one) => (one.id as number) > last && one.partner_id === mobi && one.project_id === null)
    .reverse();
  const mark = expect.stringMatching(/^set, [0-9a-f]{4}$/) as string;
  expect(ofMobi).toMatchObject([
    {
      action: 'create',
      name: 'payment',
      after: {
        event: 'payment',
        method: 'POST',
        url: expect.stringContaining('?api_token=...&t={tid} (set, ') as string,
        headers: { Authorization: mark },
        body: mark,
      },
    },
    { action: 'change', before: { headers: { Authorization: mark } }, after: { headers: { Authorization: mark } } },
    { action: 'delete' },
  ]);
  const rows = await postgres.rows('SELECT * FROM audit_log WHERE id > $1', [last]);
  expect(JSON.stringify(rows)).not.toMatch(/credential-|whsec_/);
  await send('DELETE', ofProject(`/payment?partner_id=${mobi}`));
});
