/** Campaigns that ad networks own are found, or created once however many processes ask at the same time. */
import { syncCampaigns, type NetworkCampaign } from '../../../src/configuration/synced-campaigns';
import type { Postgres } from '../../../src/db/postgres';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { ownNames } from '../../support/workspace/own-names';
import { sharedService } from '../../support/shared-service';

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
        server_keys: ['server-key'],
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
  postgres = readPostgres(service);
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
  const found = await syncCampaigns(postgres, [of('11')]);
  expect([...found]).toEqual([
    [`${projectId}:META:11`, (await campaigns()).find((row) => row.display_id === 'one')?.id],
  ]);
});

test('many that ask for many at once create each once, named as the last row that knows a name says', async () => {
  const wanted = Array.from({ length: 50 }, (_, i) => of(`new-${i}`, i % 2 ? `Name ${i}` : null));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      syncCampaigns(postgres, [...wanted, of('new-0', 'Later'), of('new-0', 'Later known'), of('new-0')]),
    ),
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
  const found = await syncCampaigns(postgres, [of('11'), of('11', null, 'TIKTOK')]);
  expect(new Set(found.values()).size).toBe(2);
});

describe('the name of a synced campaign', () => {
  const readName = async (id: string) => (await campaigns()).find((row) => row.network_campaign_id === id)?.name;
  const sync = (id: string, name: string | null) => syncCampaigns(postgres, [of(id, name)]);

  test('is the latest that its network brings', async () => {
    for (const [name, expected] of [
      [null, 'named-1'],
      ['First', 'First'],
      [null, 'First'],
      ['Second', 'Second'],
      ['First', 'First'],
    ] as const) {
      await sync('named-1', name);
      expect(await readName('named-1')).toBe(expected);
    }
  });

  test('is what somebody else gave it, for good', async () => {
    await sync('named-2', 'By the network');
    const [row] = (await campaigns()).filter((one) => one.network_campaign_id === 'named-2');
    const edit = (name: string) =>
      service.request(`/api/v1/campaigns/${row?.display_id as string}`, {
        method: 'PATCH',
        headers: { 'service-key': own('server-key'), 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      });
    expect((await edit('By the network')).status).toBe(200);
    await sync('named-2', 'By the network again');
    expect(await readName('named-2')).toBe('By the network again');
    expect((await edit('By a person')).status).toBe(200);
    await sync('named-2', 'By the network once more');
    expect(await readName('named-2')).toBe('By a person');
  });

  test('is what the workspace gave it', async () => {
    await sync('11', 'By the network');
    expect((await campaigns()).map((row) => row.name)).toEqual(expect.arrayContaining(['One', 'Two']));
  });
});
