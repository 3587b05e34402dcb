/** Single objects of administration: keys, pauses, custom channels, and the lists of what a project contains. */
import { ownNames } from '../../support/workspace/own-names';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('admin-objects');
const KEY = own('key-of-acme');
const RATE = { date: '2026-01-01', currency: 'QAO', usd: 0.0119 };
let projectId: number;

beforeAll(async () => {
  await service.apply({ ...own.document(workspace), exchange_rates: [RATE] });
  await service.apply(
    own.document({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          server_keys: ['key-of-acme'],
          campaigns: [{ display_id: 'second', name: 'Second', custom_channel: 'Spring Fair' }],
        },
      ],
    }),
  );
  projectId = await idByName(service, 'projects', own('Acme Shop'));
});

const list = async (name: string) =>
  (await service.admin('GET', `/projects/${projectId}/${name}`)).body[name] as Record<string, unknown>[];
const campaignsWith = (key: string) => service.request('/api/v1/campaigns', { headers: { 'service-key': key } });

describe('keys', () => {
  test('one is created, works at once, and stops within a second of its revocation', async () => {
    const created = await service.admin('POST', `/projects/${projectId}/keys`, { kind: 'server_key', name: ' CRM ' });
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.any(Number) as number,
        kind: 'server_key',
        name: 'CRM',
        prefix: expect.stringMatching(/^server_key_.{6}$/) as string,
        key: expect.stringMatching(/^server_key_.{32}$/) as string,
      },
    });
    const { id, key, prefix } = created.body as { id: number; key: string; prefix: string };
    expect(key.startsWith(prefix)).toBe(true);
    expect((await campaignsWith(key)).status).toBe(200);
    expect((await campaignsWith(KEY)).status).toBe(200);
    expect((await service.admin('DELETE', `/projects/${projectId}/keys/${id}`)).status).toBe(204);
    expect((await campaignsWith(key)).status).toBe(401);
    expect((await campaignsWith(KEY)).status).toBe(200);
    const listed = (await list('keys')).find((one) => one.id === id);
    expect(listed).toEqual({
      id,
      kind: 'server_key',
      name: 'CRM',
      prefix,
      created_at: expect.any(String) as string,
      last_used_at: (listed?.last_used_at ?? null) as string | null,
      revoked_at: expect.any(String) as string,
    });
    expect(JSON.stringify(await list('keys'))).not.toContain(key);
  });

  test('one is named, and loses its name; one that was given shows nothing of itself', async () => {
    const given = (await list('keys')).find((one) => one.prefix === null);
    const rename = (name: unknown, id = given?.id) =>
      service.admin('PUT', `/projects/${projectId}/keys/${String(id)}`, { name });
    expect(await rename('Old server')).toMatchObject({ status: 200, body: { name: 'Old server', prefix: null } });
    expect((await rename('')).body.name).toBeNull();
    expect((await campaignsWith(KEY)).status).toBe(200);
    expect((await rename('x'.repeat(101))).body.msg).toBe('name: must NOT have more than 100 characters');
    expect((await rename('x', 999_999_999)).body.msg).toBe('Key not found.');
  });

  test('when it was last used is noted, and is no change of the configuration', async () => {
    const { body } = await service.admin('POST', `/projects/${projectId}/keys`, { kind: 'server_key' });
    const used = async () => (await list('keys')).find((one) => one.id === body.id)?.last_used_at;
    expect(await used()).toBeNull();
    await campaignsWith(body.key as string);
    await eventually('the use is noted', async () => ((await used()) ? true : undefined));
    const log = await service.request('/auth/v1/audit-log?subject=project_keys&action=change', {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(await log.text()).not.toContain(`server_key ${String(body.id)}"`);
  });

  test('a key of another kind opens nothing of the main API', async () => {
    const { body } = await service.admin('POST', `/projects/${projectId}/keys`, { kind: 'app_key' });
    expect((await campaignsWith(body.key as string)).status).toBe(401);
  });

  test.each([
    ['no kind', {}, 400, 'body: "kind" is required'],
    ['an unknown kind', { kind: 'master' }, 400, 'kind: must be one of server_key, app_key, web_key'],
    ['a key of its own', { kind: 'web_key', key: 'mine' }, 400, 'body: unknown field "key"'],
  ])('%s is refused', async (_, document, status, msg) => {
    expect(await service.admin('POST', `/projects/${projectId}/keys`, document)).toEqual({
      status,
      body: { msg, status },
    });
  });

  test('of no project, or of another one, are not found', async () => {
    expect((await service.admin('POST', '/projects/999999999/keys', { kind: 'web_key' })).body.msg).toBe(
      'Project not found.',
    );
    const [key] = await list('keys');
    expect((await service.admin('DELETE', `/projects/${projectId + 1}/keys/${String(key?.id)}`)).body.msg).toBe(
      'Key not found.',
    );
  });
});

test('a web campaign is paused and unpaused; each time only once', async () => {
  const paused = async () => (await list('campaigns')).find((campaign) => campaign.display_id === 'second')?.paused;
  const set = (verb: string) => service.admin('POST', `/projects/${projectId}/campaigns/second/${verb}`);
  expect(await paused()).toBe(false);
  for (let i = 0; i < 2; i++)
    expect(await set('pause')).toEqual({ status: 200, body: { display_id: 'second', paused: true } });
  expect(await paused()).toBe(true);
  for (let i = 0; i < 2; i++)
    expect(await set('unpause')).toEqual({ status: 200, body: { display_id: 'second', paused: false } });
  expect(await paused()).toBe(false);
  await set('pause');
  const postgres = readPostgres(service);
  const pauses = await postgres.rows(
    `SELECT unpaused_at IS NULL AS open
     FROM campaign_pauses JOIN campaigns ON campaigns.id = campaign_id
     WHERE project_id = $1
     ORDER BY campaign_pauses.id`,
    [projectId],
  );
  expect(pauses).toEqual([{ open: false }, { open: true }]);
  await postgres.close();
  expect(await service.admin('POST', `/projects/${projectId}/campaigns/nope/pause`)).toEqual({
    status: 404,
    body: { msg: 'Campaign not found!', status: 404 },
  });
});

test('a custom channel is deactivated, and its name stays taken', async () => {
  expect(await list('channels')).toEqual([
    { id: expect.any(Number) as number, name: 'Spring Fair', slug: 'spring_fair', active: true },
  ]);
  expect((await service.admin('DELETE', `/projects/${projectId}/channels/spring_fair`)).status).toBe(204);
  expect((await list('channels'))[0]?.active).toBe(false);
  const response = await service.request('/api/v1/create-campaign', {
    method: 'POST',
    headers: { 'service-key': KEY },
    body: JSON.stringify({ name: 'New', custom_channel_names: ['SPRING fair'] }),
  });
  expect(response.status).toBe(409);
  expect(await service.admin('DELETE', `/projects/${projectId}/channels/nope`)).toEqual({
    status: 404,
    body: { msg: 'Channel not found.', status: 404 },
  });
});

test('every kind of object has its list', async () => {
  expect(await list('apps')).toHaveLength(2);
  const proven = { id: expect.any(Number) as number, status: 'proven', proof: null };
  // The service may have looked at them by now, or not.
  expect((await list('domains')).map(({ last_check: _, ...domain }) => domain)).toEqual([
    { ...proven, name: own('go.acme.example'), primary: true },
    { ...proven, name: own('alt.acme.example'), primary: false },
  ]);
  expect(await list('store_listings')).toEqual([]);
  expect(await list('network_accounts')).toEqual([]);
  expect((await list('partners')).map((row) => row.partner)).toEqual(['Mobi Ads', 'Other Ads'].map(own));
  expect((await service.admin('GET', '/exchange_rates')).body.exchange_rates).toContainEqual(RATE);
  const partner = await idByName(service, 'partners', own('Mobi Ads'));
  const tokens = await service.admin('GET', `/partners/${partner}/tokens`);
  expect(tokens.body).toEqual({
    tokens: [
      {
        id: expect.any(Number) as number,
        created_at: expect.any(String) as string,
        valid_until: null,
        revoked_at: null,
      },
    ],
  });
  for (const name of ['keys', 'apps', 'campaigns', 'channels'])
    expect((await service.admin('GET', `/projects/999999999/${name}`)).body).toEqual({
      msg: 'Project not found.',
      status: 404,
    });
});

test('the campaigns of a project come in pages', async () => {
  const page = async (query: string) =>
    (await service.admin('GET', `/projects/${projectId}/campaigns${query}`)).body as {
      campaigns: { display_id: string }[];
      pagination: object;
    };
  const all = await page('');
  expect(all.pagination).toEqual({ total: all.campaigns.length, pages: 1, page: 1, limit: 1000 });
  const second = await page('?page=2&limit=2');
  expect(second.campaigns).toEqual(all.campaigns.slice(2, 4));
  expect((await page(`?page=99`)).campaigns).toEqual([]);
  expect((await service.admin('GET', `/projects/${projectId}/campaigns?page=0`)).status).toBe(422);
});

test('what the main API changes shows in ClickHouse', async () => {
  await service.request('/api/v1/campaigns/AbC123', {
    method: 'PATCH',
    headers: { 'service-key': KEY },
    body: JSON.stringify({ name: 'Renamed' }),
  });
  await eventually('the new name', async () =>
    (await service.rows(`SELECT name FROM adtrail.campaigns FINAL WHERE project_id = ${projectId}`)).some(
      ({ name }) => name === 'Renamed',
    )
      ? true
      : undefined,
  );
});
