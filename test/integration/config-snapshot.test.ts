/** The configuration in memory: how long it holds without PostgreSQL, and how long a replaced token does. */
import { ConfigSnapshot } from '../../src/configuration/config-snapshot';
import { sha256 } from '../../src/secrets';
import type { Postgres } from '../../src/db/postgres';
import { postgresOf } from '../support/postgres';
import { startService, type RunningService } from '../support/service';
import { TOKEN, workspace } from '../support/workspace';

const DAY_MS = 24 * 3_600_000;

let service: RunningService;
let postgres: Postgres;
let clock = Date.now();
const now = () => clock;

beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
  postgres = postgresOf(service);
});
afterAll(async () => {
  await postgres.close();
  await service.dispose();
});

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
  const { body } = await service.admin('GET', '/partners');
  const { id } = (body.partners as { id: number; name: string }[]).find((partner) => partner.name === 'Mobi Ads') as {
    id: number;
  };
  const first = await service.admin('POST', `/partners/${id}/tokens`);
  const replaced = Date.parse(first.body.former_valid_until as string);
  const directory = new ConfigSnapshot(postgres, now);
  await directory.refresh();
  clock = replaced - 1;
  expect(directory.partnerOfToken(sha256(TOKEN))).toBe(id);
  clock = replaced;
  expect(directory.partnerOfToken(sha256(TOKEN))).toBeUndefined();
  expect(directory.partnerOfToken(sha256(first.body.token as string))).toBe(id);
  const second = await service.admin('POST', `/partners/${id}/tokens`);
  await directory.refresh();
  clock = Date.parse(second.body.former_valid_until as string) - 1;
  expect(directory.partnerOfToken(sha256(first.body.token as string))).toBe(id);
  expect(Math.abs(replaced - Date.now() - DAY_MS)).toBeLessThan(60_000);
});

test('a change is loaded once, and only what changed of the campaigns', async () => {
  const directory = new ConfigSnapshot(postgres, now);
  await Promise.all([directory.refresh(), directory.refresh(), directory.refresh()]);
  const before = directory.loadedRevision;
  await service.apply({
    projects: [
      {
        name: 'Acme Shop',
        account: 'Acme',
        timezone: 'Asia/Kolkata',
        campaigns: [{ display_id: 'second', name: 'Second', active: false }],
      },
    ],
  });
  await directory.refresh();
  expect(directory.loadedRevision).toBe(before + 1);
  const [projectId] = [...directory.projectsOfApp('com.acme.shop')];
  expect(directory.campaign(projectId as number, 'second')?.live).toBe(false);
  expect(directory.campaign(projectId as number, 'AbC123')?.live).toBe(true);
});
