/**
 * GET /attributed-users, GET /get-attribution-result, the count of the campaign list, and explain
 * (docs/contract/attribution.md).
 */
import crypto from 'node:crypto';
import { installsWith } from '../../support/attribution/attribution';
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('attribution-results');
const SERVER_KEY = own('server-key');
const installed = installsWith(service, SERVER_KEY);
const collect = (events: readonly Json[]) => collectApp(service, events, { 'service-key': SERVER_KEY });
let projectId: number;
const OTHER_KEY = own('server-key-of-another');

const document = own.document({
  ...workspace,
  projects: workspace.projects.map((project) => {
    if (project.name === 'Nothing On') return { ...project, server_keys: ['server-key-of-another'] };
    if (project.name !== 'Acme Shop') return project;
    const more = [
      {
        display_id: 'meta1',
        name: 'Meta one',
        network: 'META',
        network_campaign_id: 'm1',
        deeplink: 'acme://shop?x=1#top',
        domain: 'alt.acme.example',
      },
      { display_id: 'google1', name: 'Google one', network: 'GOOGLE', network_campaign_id: 'g1' },
      { display_id: 'empty1', name: 'Nobody yet' },
      { display_id: 'paged1', name: 'Paged' },
    ];
    return { ...project, server_keys: ['server-key'], campaigns: [...(project.campaigns ?? []), ...more] };
  }),
});

beforeAll(async () => {
  await service.apply(document);
  projectId = await idByName(service, 'projects', own('Acme Shop'));
});

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR = 3_600_000;

async function get(
  path: string,
  query: Record<string, string> | string = {},
  key: string | undefined = SERVER_KEY,
): Promise<{ status: number; body: Json; text: string }> {
  const response = await service.request(
    `/api/v1/${path}?${typeof query === 'string' ? query : new URLSearchParams(query).toString()}`,
    { headers: key ? { 'service-key': key } : {} },
  );
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Json, text };
}
const users = (query: Record<string, string> | string, key?: string) => get('attributed-users', query, key);
const result = (query: Record<string, string>, key?: string) => get('get-attribution-result', query, key);

async function click(parameters: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({ c: 'AbC123', tid: crypto.randomUUID(), ...parameters });
  const response = await service.request(`/v1/click/com.acme.shop?${query.toString()}`, {
    headers: { 'X-Service-Token': own(TOKEN) },
  });
  return ((await response.json()) as { click_id: string }).click_id;
}

describe('attributed users: what is refused', () => {
  test.each([
    ['no key', { display_id: 'AbC123' }, '', 401, 'Authentication failed.'],
    ['a wrong key', { display_id: 'AbC123' }, 'nonsense', 401, 'Authentication failed.'],
    ['no display_id', {}, SERVER_KEY, 422, 'Required parameter missing.'],
    ['an unknown campaign', { display_id: 'nonesuch' }, SERVER_KEY, 404, 'Resource not found.'],
    ['a campaign of another project', { display_id: 'off1' }, SERVER_KEY, 404, 'Resource not found.'],
    [
      'a time of no zone',
      { display_id: 'AbC123', start_timestamp: 'now' },
      SERVER_KEY,
      400,
      'Invalid timestamp format.',
    ],
  ] as [string, Record<string, string>, string, number, string][])('%s', async (_, query, key, status, msg) => {
    expect(await get('attributed-users', query, key)).toMatchObject({ status, body: { msg, status } });
  });
});

describe('attributed users', () => {
  test('a campaign without any is an empty page', async () => {
    expect(await users({ display_id: 'empty1' })).toMatchObject({
      status: 200,
      body: {
        status: 200,
        data: { total_users: 0, users: [], pagination: { total: 0, pages: 0, page: 1, limit: 50 } },
      },
    });
  });

  test('every field, with what later events say of user and device', async () => {
    const attribution = {
      campaign_display_id: 'meta1',
      touch_type: 'click',
      touched_at: '2026-03-01T08:00:00Z',
      ad_set_id: 's1',
      ad_set_name: 'Set',
      ad_id: 'a1',
      ad_name: 'Ad',
      publisher_platform: 'facebook',
      platform_position: 'feed',
    };
    const install = await installed({
      time: '2026-03-01T10:00:00+01:00',
      attribution,
      user: { id: null, email: 'old@a.example', plan: 'free' },
      device: { brand: 'Google', api_level: 34 },
    });
    const { install_id } = install as { install_id: string };
    await collect([
      appEvent('signup', { install_id, time: '2026-03-02T00:00:00Z', user: { id: 'u1', name: 'Ann', tags: ['x'] } }),
      appEvent('open', {
        install_id,
        time: '2026-03-03T00:00:00Z',
        user: { email: 'new@a.example', phone: null },
        device: { version: '14', api_level: null, brand: null, screen: { dpi: 420 }, rooted: false },
      }),
      appEvent('open', { install_id, time: '2026-03-01T12:00:00Z', user: { email: 'late@a.example', phone: '1' } }),
    ]);
    const { body } = await users({ display_id: 'meta1' });
    expect((body.data as Json).users).toEqual([
      {
        attributed_at: '2026-03-01T09:00:00.000Z',
        ad_channel: 'META',
        campaign_display_id: 'meta1',
        campaign_name: 'Meta one',
        link: 'acme://shop?x=1&c=meta1#top',
        installed_at: '2026-03-01T09:00:00.000Z',
        store_click_at: '2026-03-01T08:00:00.000Z',
        meta_ad_id: 'a1',
        ad_creative_id: 'a1',
        ad_creative_name: 'Ad',
        ad_set_id: 's1',
        ad_set_name: 'Set',
        publisher_platform: 'facebook',
        platform_position: 'feed',
        user_data: {
          id: 'u1',
          name: 'Ann',
          email: 'new@a.example',
          phone: '1',
          plan: 'free',
          tags: ['x'],
          device_data: {
            brand: 'Google',
            base_os: '',
            version: '14',
            build_id: '',
            bundle_id: '',
            device_id: '',
            android_id: '',
            device_name: '',
            device_type: '',
            build_number: '',
            connectivity: '',
            manufacturer: '',
            application_name: '',
            api_level: 34,
            screen: { dpi: 420 },
            rooted: false,
          },
        },
      },
    ]);
  });

  test('what is unknown is empty text, or null where it may be; views have no store click', async () => {
    await installed({
      time: '2026-03-01T10:00:00Z',
      attribution: { campaign_display_id: 'google1', touch_type: 'impression', touched_at: '2026-03-01T08:00:00Z' },
    });
    const { body } = await users({ display_id: 'google1' });
    expect((body.data as { users: Json[] }).users[0]).toMatchObject({
      ad_channel: 'GOOGLE',
      store_click_at: null,
      meta_ad_id: '',
      ad_creative_id: '',
      ad_creative_name: '',
      ad_set_id: '',
      ad_set_name: '',
      publisher_platform: null,
      platform_position: null,
      user_data: { id: null, name: null, email: null, phone: null, device_data: { brand: '', api_level: 0 } },
    });
  });

  test('pages are ordered, complete, and what attributed_users counts; start inclusive, end exclusive', async () => {
    const times = Array.from({ length: 7 }, (_, i) => `2026-04-0${i + 1}T00:00:00.000Z`);
    await Promise.all(
      times.map((time) =>
        installed({
          time,
          attribution: { campaign_display_id: 'paged1' },
          gaid: '38400000-8cf0-11bd-b23e-000000000001',
        }),
      ),
    );
    const seen: string[] = [];
    for (let page = 1; ; page++) {
      const { body } = await users({ display_id: 'paged1', limit: '3', page: String(page), timezone: 'Mars/Olympus' });
      const data = body.data as { users: { attributed_at: string }[]; total_users: number; pagination: Json };
      expect([data.total_users, data.pagination]).toEqual([7, { total: 7, pages: 3, page, limit: 3 }]);
      if (data.users.length === 0) break;
      seen.push(...data.users.map((user) => user.attributed_at));
    }
    expect(seen).toEqual(times.toReversed());
    const within = await users({
      display_id: 'paged1',
      start_timestamp: '2026-04-02T05:30:00+05:30',
      end_timestamp: '2026-04-05T00:00:00Z',
    });
    expect(
      (within.body.data as { users: { attributed_at: string }[] }).users.map((user) => user.attributed_at),
    ).toEqual(times.slice(1, 4).toReversed());
    const { body } = await get('campaigns', { link: `https://${own('go.acme.example')}/?c=paged1` });
    expect((body.data as { campaigns: Json[] }).campaigns).toMatchObject([
      { display_id: 'paged1', attributed_users: 7 },
    ]);
    const edited = await service.request('/api/v1/campaigns/paged1', {
      method: 'PATCH',
      headers: { 'service-key': SERVER_KEY },
      body: '{"name":"Paged"}',
    });
    expect(((await edited.json()) as { data: Json }).data.attributed_users).toBe(7);
  });

  test('organic installs belong to no campaign', async () => {
    await installed({});
    const { body } = await get('campaigns', {});
    expect(
      (body.data as { campaigns: { display_id: string; attributed_users: number }[] }).campaigns.find(
        ({ display_id }) => display_id === 'empty1',
      )?.attributed_users,
    ).toBe(0);
  });
});

describe('attribution result', () => {
  test.each([
    ['no key', { user_id: 'u' }, '', 401, 'Unauthorized access.'],
    ['a wrong key', { user_id: 'u' }, 'nonsense', 401, 'Unauthorized access.'],
    ['neither', {}, SERVER_KEY, 400, 'Either device_identifier or user_id is required.'],
    [
      'both empty',
      { device_identifier: '', user_id: '' },
      SERVER_KEY,
      400,
      'Either device_identifier or user_id is required.',
    ],
  ] as [string, Record<string, string>, string, number, string][])(
    '%s is refused',
    async (_, query, key, status, msg) => {
      expect(await get('get-attribution-result', query, key)).toMatchObject({ status, body: { msg, status } });
    },
  );

  test('nothing known is 204 without a body', async () => {
    expect(await result({ user_id: 'nobody' })).toMatchObject({ status: 204, text: '' });
    expect(await result({ device_identifier: crypto.randomUUID() })).toMatchObject({ status: 204, text: '' });
  });

  test("a partner's click: every field, by device in any case and by user", async () => {
    const [gaid, user] = [crypto.randomUUID(), crypto.randomUUID()];
    const clicked = Date.now() - 2 * HOUR;
    await click({ gaid, click_time: String(clicked) });
    const install = await installed({ gaid, user: { id: 'before' } });
    await collect([
      appEvent('signup', { install_id: install.install_id, user: { id: user } }),
      appEvent('open', { install_id: install.install_id, time: at(1000), user: { id: 'after' } }),
    ]);
    const expected = {
      campaign_name: 'Campaign AbC123',
      display_id: 'AbC123',
      ad_network_campaign_id: null,
      deeplink: null,
      domain_name: own('go.acme.example'),
      ad_set_id: null,
      ad_set_name: null,
      ad_creative_id: null,
      ad_creative_name: null,
      keyword_id: null,
      keyword_name: null,
      ad_network: 'ATTRIBUTION-RESULTS-MOBI_ADS',
      attribution_type: 'INORGANIC',
      user_id: user,
      gaid,
      idfa: null,
      store_click_at: new Date(clicked).toISOString(),
      installed_at: new Date(`${String(install.install_time).replace(' ', 'T')}Z`).toISOString(),
    };
    const byUser = await eventually('the user is known', async () => {
      const answer = await result({ user_id: user });
      return answer.status === 200 ? answer : undefined;
    });
    expect(byUser.body.data).toEqual(expected);
    expect((await result({ device_identifier: gaid.toUpperCase() })).body.data).toEqual(expected);
    expect(await result({ device_identifier: gaid }, OTHER_KEY)).toMatchObject({ status: 204 });
  });

  test('an organic install is 200 with null campaign fields', async () => {
    const idfa = crypto.randomUUID();
    await installed({ idfa });
    expect((await result({ device_identifier: idfa })).body.data).toMatchObject({
      attribution_type: 'ORGANIC',
      campaign_name: null,
      display_id: null,
      ad_network: null,
      domain_name: null,
      store_click_at: null,
      idfa,
      user_id: null,
    });
  });

  test("an ad network's campaign", async () => {
    const gaid = crypto.randomUUID();
    await installed({
      gaid,
      attribution: {
        network: 'META',
        network_campaign_id: 'm1',
        ad_set_id: 's',
        ad_set_name: 'S',
        ad_id: 'a',
        ad_name: 'A',
        keyword_id: 'k',
        keyword_name: 'K',
      },
    });
    expect((await result({ device_identifier: gaid })).body.data).toMatchObject({
      display_id: 'meta1',
      ad_network_campaign_id: 'm1',
      deeplink: 'acme://shop?x=1#top',
      domain_name: own('alt.acme.example'),
      ad_network: 'META',
      ad_set_id: 's',
      ad_set_name: 'S',
      ad_creative_id: 'a',
      ad_creative_name: 'A',
      keyword_id: 'k',
      keyword_name: 'K',
    });
  });

  test('the latest install of a device counts, and the user goes before the device', async () => {
    const [gaid, user] = [crypto.randomUUID(), crypto.randomUUID()];
    await Promise.all([
      installed({ gaid, time: at(-HOUR), attribution: { campaign_display_id: 'meta1' } }),
      installed({ gaid, time: at(-2 * HOUR), attribution: { campaign_display_id: 'google1' } }),
      installed({ user: { id: user }, attribution: { campaign_display_id: 'second' } }),
    ]);
    const displayId = async (query: Record<string, string>) =>
      ((await result(query)).body.data as Json | undefined)?.display_id;
    expect(await displayId({ device_identifier: gaid })).toBe('meta1');
    expect(await displayId({ device_identifier: gaid, user_id: user })).toBe('second');
    expect(await displayId({ device_identifier: gaid, user_id: 'nobody' })).toBe('meta1');
  });

  test('a campaign that is deleted later keeps what it earned', async () => {
    const gaid = crypto.randomUUID();
    const created = await service.request('/api/v1/create-campaign', {
      method: 'POST',
      headers: { 'service-key': SERVER_KEY },
      body: '{"name":"Short-lived","custom_display_id":"short1"}',
    });
    expect(created.status).toBe(201);
    await installed({ gaid, attribution: { campaign_display_id: 'short1' } });
    await service.request('/api/v1/campaigns/short1', { method: 'DELETE', headers: { 'service-key': SERVER_KEY } });
    expect((await result({ device_identifier: gaid })).body.data).toMatchObject({
      display_id: 'short1',
      campaign_name: 'Short-lived',
      attribution_type: 'INORGANIC',
    });
    expect(await users({ display_id: 'short1' })).toMatchObject({ status: 404 });
  });
});

describe('explain', () => {
  const explain = async (install: string, project = projectId) =>
    service.admin('GET', `/projects/${project}/installs/${encodeURIComponent(install)}/explain`);

  test('every candidate with its rule and what became of it, as decided', async () => {
    const [gaid, address] = [crypto.randomUUID(), '203.0.113.77'];
    const late = await click({ gaid, click_time: String(Date.now() - 3 * HOUR) });
    const old = await click({ gaid, click_time: String(Date.now() - 5 * HOUR), c: 'second' });
    const byIp = await click({ ip: address, ua: 'Android' });
    const { install_id } = await installed({ gaid, ip: address, ua: 'Android', time: at(-HOUR) });
    // What is changed afterwards changes nothing of what was decided.
    await service.apply({
      ...document,
      projects: document.projects.map((project) =>
        project.name === own('Acme Shop') ? { ...project, attribution: { ip_click_window_hours: 0 } } : project,
      ),
    });
    const { status, body } = await explain(install_id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      install_id,
      decided: true,
      install: { app_id: 'com.acme.shop', gaid, ip: address },
      decision: {
        rule: 'device_click',
        campaign_display_id: 'AbC123',
        partner: own('Mobi Ads'),
        touch_type: 'click',
        touch_id: late,
        window_seconds: 604800,
        reinstall: false,
        click_injection: false,
      },
    });
    expect(
      (body.candidates as Json[]).map(({ touch_id, rule, verdict, campaign_display_id }) => [
        touch_id,
        rule,
        verdict,
        campaign_display_id,
      ]),
    ).toEqual([
      [late, 'device_click', 'credited', 'AbC123'],
      [old, 'device_click', 'older_than_winner', 'second'],
      [byIp, 'ip_click', 'later_than_install', 'AbC123'],
    ]);
  });

  test('what is not decided yet, and what never came', async () => {
    await collect([appEvent('install', { install_id: 'just now/1' })]);
    const { status, body } = await explain('just now/1');
    expect([status, typeof body.decided]).toEqual([200, 'boolean']);
    expect(body.limits).toEqual({ touches_per_identifier: 10_000, candidates_shown: 100 });
    expect(await explain('nonesuch')).toMatchObject({ status: 404, body: { msg: 'Install not found.' } });
    expect((await explain('just now/1', projectId + 1)).status).toBe(404);
    expect((await service.request(`/admin/v1/projects/${projectId}/installs/x/explain`)).status).toBe(401);
  });
});
