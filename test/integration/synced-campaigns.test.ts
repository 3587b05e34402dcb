/** Campaigns that ad networks own are found, or created once however many processes ask at the same time. */
import { findOrCreateSyncedCampaigns, type NetworkCampaign } from '../../src/configuration/synced-campaigns';
import type { Postgres } from '../../src/db/postgres';
import { postgresOf } from '../support/postgres';
import { idByName } from '../support/s2s-client';
import { ownNames } from '../support/own-names';
import { sharedService } from '../support/shared-service';

const service = sharedService();
const own = ownNames('synced-campaigns');
let postgres: Postgres;
let projectId: number;
beforeAll(async () => {
  const document = {
    accounts: [{ name: 'A' }],
    projects: [
      {
        name: 'P',
        account: 'A',
        timezone: 'UTC',
        network_accounts: [{ network: 'META', external_customer_id: 'act_1' }],
        campaigns: [
          { display_id: 'one', name: 'One', network: 'META', network_campaign_id: '11' },
          { display_id: 'two', name: 'Two', network: 'META', network_campaign_id: '11' },
        ],
      },
    ],
  };
  await service.apply(own.document(document));
  projectId = await idByName(service, 'projects', own('P'));
  postgres = postgresOf(service);
});
afterAll(() => postgres.close());

const of = (networkCampaignId: string, name: string | null = null, network = 'META'): NetworkCampaign => ({
  projectId,
  network,
  networkCampaignId,
  name,
});
const campaigns = async () =>
  (await service.admin('GET', `/projects/${projectId}/campaigns?limit=1000`)).body.campaigns as Record<
    string,
    unknown
  >[];

test('one that the workspace has is found, the oldest where there are several', async () => {
  const found = await findOrCreateSyncedCampaigns(postgres, [of('11')]);
  expect([...found]).toEqual([
    [`${projectId}:META:11`, (await campaigns()).find((row) => row.display_id === 'one')?.id],
  ]);
});

test('many that ask for many at once create each once, named as the first row that knows a name says', async () => {
  const wanted = Array.from({ length: 50 }, (_, i) => of(`new-${i}`, i % 2 ? `Name ${i}` : null));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => findOrCreateSyncedCampaigns(postgres, [...wanted, of('new-0', 'Later known')])),
  );
  for (const answer of answers)
    expect(Object.fromEntries(answer)).toEqual(Object.fromEntries(answers[0] as Map<string, number>));
  const rows = (await campaigns()).filter((row) => String(row.network_campaign_id).startsWith('new-'));
  expect(rows).toHaveLength(50);
  for (const row of rows) {
    expect(row.display_id).toMatch(/^[A-Za-z0-9]{10}$/);
    const number = Number((row.network_campaign_id as string).slice(4));
    expect(row.name).toBe(number === 0 ? 'Later known' : number % 2 ? `Name ${number}` : `new-${number}`);
  }
});

test('the same ID at another network is another campaign', async () => {
  const found = await findOrCreateSyncedCampaigns(postgres, [of('11'), of('11', null, 'TIKTOK')]);
  expect(new Set(found.values()).size).toBe(2);
});
