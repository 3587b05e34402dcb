/** Tracking links with two worker processes, and where a process does not serve them. */
import http from 'node:http';
import { DESKTOP, LINKS_KEY, linksWorkspace, openLink } from '../support/links';
import { startService, type RunningService, within } from '../support/service';

const EVERY_WORKER = 8;

describe('two workers', () => {
  let service: RunningService;
  // Connections that stay open are spread over the workers.
  const agents = Array.from({ length: EVERY_WORKER }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));
  const locations = async () =>
    new Set(
      await Promise.all(
        agents.map(async (agent) => (await openLink(service, '/edited', { ua: DESKTOP, agent })).location),
      ),
    );

  beforeAll(async () => {
    service = await startService({ WORKERS: '2' });
    await service.apply(linksWorkspace);
  });
  afterAll(async () => {
    for (const agent of agents) agent.destroy();
    await service?.dispose();
  });

  test('an edit is in force on both', async () => {
    // Six times: the poll that stands behind the notifications runs every 5 s and could not keep up.
    for (let i = 0; i < 6; i++) {
      const response = await service.request('/api/v1/campaigns/edited', {
        method: 'PATCH',
        headers: { 'service-key': LINKS_KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify({ website: `https://acme.example/${i}` }),
      });
      expect(response.status).toBe(200);
      const wanted = `https://acme.example/${i}?utm_id=edited`;
      await within(
        `both lead to ${wanted}`,
        async () => {
          const all = await locations();
          return all.size === 1 && all.has(wanted) ? true : undefined;
        },
        4_000,
      );
    }
  });

  test('a tid that reaches both is one click', async () => {
    for (let round = 0; round < 3; round++)
      await Promise.all(agents.map((agent) => openLink(service, '/website?tid=both', { ua: DESKTOP, agent })));
    expect(await service.rows("SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE tid = 'both'")).toEqual([
      { n: 1 },
    ]);
  });
});

test('a process without the role has no links', async () => {
  const service = await startService({ ROLES: 'api,s2s' });
  try {
    await service.apply(linksWorkspace);
    for (const path of ['/?c=website', '/website', '/qr?c=website', '/.well-known/assetlinks.json'])
      expect((await openLink(service, path)).status).toBe(404);
  } finally {
    await service.dispose();
  }
});
