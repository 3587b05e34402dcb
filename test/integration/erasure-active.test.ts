/** Erasing a person whose device and browser go on sending: what was recorded goes, what is new stays. */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decided } from '../support/attribution';
import { appEvent, collectApp, post, SERVER_KEY, type Json } from '../support/collect-client';
import { eventually, startService, type RunningService } from '../support/service';
import { workspaceWithServerKey } from '../support/workspace';

let service: RunningService;
let projectId: number;

beforeAll(async () => {
  service = await startService();
  await service.apply(workspaceWithServerKey(SERVER_KEY));
  const { projects } = (await service.admin('GET', '/projects')).body as { projects: { id: number; name: string }[] };
  projectId = projects.find(({ name }) => name === 'Acme Shop')?.id as number;
});
afterAll(() => service.dispose());

test('the request is through at once, nothing older is left, and every later event stays', async () => {
  const [install_id, gaid] = [crypto.randomUUID(), crypto.randomUUID()];
  const [user, visitor_id] = [`user-${crypto.randomUUID()}`, `visitor-${crypto.randomUUID()}`];
  const secret = `secret-${crypto.randomUUID()}`;
  const send = async (note: string) => {
    const app = await collectApp(service, [
      appEvent('event', { name: 'level_up', install_id, gaid, user: { id: user }, device: { note } }),
    ]);
    const web = await post(
      service,
      JSON.stringify({
        events: [
          {
            event_id: crypto.randomUUID(),
            type: 'page_view',
            time: new Date().toISOString(),
            visitor_id,
            session_id: 'session',
            url: 'https://acme.example/',
            user_id: user,
            properties: { note },
          },
        ],
      }),
      { 'service-key': SERVER_KEY },
      '/collect/v1/web',
    );
    expect([app.accepted, web.accepted]).toEqual([1, 1]);
  };
  const eventsOf = async (note: string) => {
    const [row] = await service.rows<Json>(
      `SELECT (SELECT count() FROM analytics.app_events WHERE position(device, '${note}') > 0) AS app,
         (SELECT count() FROM analytics.web_events WHERE position(properties, '${note}') > 0) AS web`,
    );
    return row;
  };
  await collectApp(service, [appEvent('install', { install_id, gaid, user: { id: user } })]);
  await send(secret);
  await decided(service, [install_id]);
  const { body } = await service.admin('DELETE', `/projects/${projectId}/devices/user/${user}`);

  let later = 0;
  const receipt = await eventually(
    'the request is through',
    async () => {
      await send('later');
      later += 1;
      const answer = (await service.admin('GET', `/projects/${projectId}/forgotten/${String(body.id)}`)).body;
      expect(answer.failure).toBeNull();
      await sleep(200);
      return answer.removed_at ? answer : undefined;
    },
    110_000,
  );
  expect(receipt.hidden_at).not.toBeNull();
  expect(await eventsOf(secret)).toEqual({ app: 0, web: 0 });
  // What arrived before everything was hidden is of the request, too.
  const isLater = `received_at > parseDateTime64BestEffort('${String(receipt.hidden_at)}', 3)`;
  const [kept] = await service.rows<Json>(
    `SELECT countIf(position(device, 'later') > 0) AS app, count() AS received
     FROM analytics.app_events
     WHERE install_id = '${install_id}' AND ${isLater}`,
  );
  expect(kept?.app).toBe(kept?.received);
  expect(Number(kept?.app)).toBeGreaterThan(10);
  expect(later).toBeGreaterThan(10);
}, 540_000);
