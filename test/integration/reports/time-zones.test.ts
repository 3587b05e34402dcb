/** Time zones of projects: however they are spelt, both engines compute in them (docs/contract/workspace.md). */
import { decided } from '../../support/attribution/attribution';
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { answered, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { isKnownToNode } from '../../support/reports/time-zones';

const service = sharedService();
const own = ownNames('time-zones');
const projectNamed = (name: string, timezone: string, more: object = {}) =>
  own.document({
    accounts: [{ name: 'Acme' }],
    projects: [
      {
        name,
        account: 'Acme',
        timezone,
        server_keys: [`key of ${name}`.replaceAll(/[^\w]/g, '-')],
        web_campaigns: true,
        apps: [{ platform: 'ANDROID', app_id: 'com.acme.zones' }],
        ...more,
      },
    ],
  });
const objectKey = (name: string) => ({ 'service-key': own(`key of ${name}`.replaceAll(/[^\w]/g, '-')) });

async function storedZone(name: string): Promise<{ id: number; timezone: string }> {
  const { body } = await service.admin('GET', '/projects');
  const projects = body.projects as { id: number; name: string; timezone: string }[];
  const { id, timezone } = projects.find((one) => one.name === own(name)) as (typeof projects)[number];
  return { id, timezone };
}

/** Abbreviations are going out of use in Node. */
const ABBREVIATIONS = [
  ['PST', 'America/Los_Angeles'],
  ['IST', 'Asia/Calcutta'],
] as const;

test.each<readonly [string, string]>([
  ['europe/berlin', 'Europe/Berlin'],
  ['ASIA/KOLKATA', 'Asia/Kolkata'],
  ['utc', 'UTC'],
  ['gmt', 'GMT'],
  ...ABBREVIATIONS.filter(([name]) => isKnownToNode(name)),
  ['us/pacific', 'US/Pacific'],
  ['etc/gmt+1', 'Etc/GMT+1'],
])('%s is stored as %s, and installs and reports of the project work', async (sent, timezone) => {
  const name = `Zone ${sent}`;
  await service.apply(projectNamed(name, sent));
  const { id, timezone: stored } = await storedZone(name);
  expect(stored).toBe(timezone);
  // The same document changes nothing.
  expect(await service.apply(projectNamed(name, sent))).toMatchObject({ created: 0, updated: 0 });
  const install_id = own(`install of ${name}`);
  const event = appEvent('install', { install_id, app_id: 'com.acme.zones' });
  expect(await collectApp(service, [event], objectKey(name))).toMatchObject({ accepted: 1, rejected: [] });
  expect((await decided(service, [install_id])).get(install_id)).toMatchObject({ rule: 'organic' });
  for (const path of ['/api/v1/reporting/campaigns', '/api/v1/reporting/web-campaigns', '/api/v1/attributed-users']) {
    const { status } = await answered(() => service.request(`${path}?display_id=x`, { headers: objectKey(name) }));
    expect([path, status]).toEqual([path, path.endsWith('users') ? 404 : 200]);
  }
  await eventually('its journey is derived', async () => {
    const rows = await service.rows(`SELECT 1 FROM adtrail.journeys FINAL WHERE project_id = ${id}`);
    return rows.length === 1 ? true : undefined;
  });
  expect((await service.admin('GET', '/quarantine')).body.quarantine).not.toContainEqual(
    expect.objectContaining({ project_id: id }),
  );
});

test('a change of one project takes other spellings too, and refuses what an engine does not know', async () => {
  await service.apply(projectNamed('Changed', 'UTC'));
  const { id } = await storedZone('Changed');
  expect(await service.admin('PUT', `/projects/${id}`, { timezone: 'america/new_york' })).toMatchObject({
    status: 200,
  });
  expect((await storedZone('Changed')).timezone).toBe('America/New_York');
  for (const timezone of ['Mars/Olympus', '+05:30', 'GMT+1', 'America/Coyhaique', 'Factory', ' UTC', 'UTC\u0000', ''])
    expect(await service.admin('PUT', `/projects/${id}`, { timezone })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('timezone') as string },
    });
  expect((await storedZone('Changed')).timezone).toBe('America/New_York');
});

test('a project made by a clock that is a little fast has a web report', async () => {
  const created_at = new Date(Date.now() + 3 * 3_600_000).toISOString();
  await service.apply(projectNamed('Fast', 'UTC', { created_at }));
  const ask = () => service.request('/api/v1/reporting/web-campaigns', { headers: objectKey('Fast') });
  expect((await answered(ask)).status).toBe(200);
});
