/** The configuration in memory: how long it holds without PostgreSQL, and how long a replaced token does. */
import { ConfigSnapshot } from '../../../src/configuration/config-snapshot';
import { sha256 } from '../../../src/lib/secrets';
import { readPostgres } from '../../support/postgres';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { TOKEN, workspace } from '../../support/workspace/workspace';

const DAY_MS = 24 * 3_600_000;
const own = ownNames('config-snapshot');
const service = sharedService();
const postgres = readPostgres(service);
let clock = Date.now();
const now = () => clock;

beforeAll(() => service.apply(own.document(workspace)));
afterAll(() => postgres.close());

test('is good for five minutes after PostgreSQL confirmed it last', async () => {
  const directory = new ConfigSnapshot(postgres, now);
  expect(directory.stale).toBe(true);
  await directory.refresh();
  expect(directory.stale).toBe(false);
  clock += 5 * 60_000;
  expect(directory.stale).toBe(false);
  clock += 1;
  expect(directory.stale).toBe(true);
  await directory.refresh();
  expect(directory.stale).toBe(false);
});

test('a replaced token works for 24 hours from its own replacement, each for itself', async () => {
  const id = await idByName(service, 'partners', own('Mobi Ads'));
  const first = await service.admin('POST', `/partners/${id}/tokens`);
  const replaced = Date.parse(first.body.former_valid_until as string);
  const directory = new ConfigSnapshot(postgres, now);
  await directory.refresh();
  clock = replaced - 1;
  expect(directory.partnerOfToken(sha256(own(TOKEN)))).toBe(id);
  clock = replaced;
  expect(directory.partnerOfToken(sha256(own(TOKEN)))).toBeUndefined();
  expect(directory.partnerOfToken(sha256(first.body.token as string))).toBe(id);
  const second = await service.admin('POST', `/partners/${id}/tokens`);
  await directory.refresh();
  clock = Date.parse(second.body.former_valid_until as string) - 1;
  expect(directory.partnerOfToken(sha256(first.body.token as string))).toBe(id);
  expect(Math.abs(replaced - Date.now() - DAY_MS)).toBeLessThan(60_000);
});

test('a change is loaded, and of the campaigns only what changed', async () => {
  const directory = new ConfigSnapshot(postgres, now);
  await Promise.all([directory.refresh(), directory.refresh(), directory.refresh()]);
  const before = directory.loadedRevision;
  await service.apply(
    own.document({
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          campaigns: [{ display_id: 'second', name: 'Second', active: false }],
        },
      ],
    }),
  );
  await directory.refresh();
  // Suites that run beside this one change the configuration too.
  expect(directory.loadedRevision).toBeGreaterThan(before);
  const projectId = await idByName(service, 'projects', own('Acme Shop'));
  expect([...directory.projectsOfApp('com.acme.shop')]).toContain(projectId);
  expect(directory.campaign(projectId, 'second')?.live).toBe(false);
  expect(directory.campaign(projectId, 'AbC123')?.live).toBe(true);
});
