/**
 * The service killed while ClickHouse is at a statement, one statement after the other: what it was at is gone on with,
 * nothing is lost and nothing counts twice (docs/contract/attribution.md).
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { appEvent, SERVER_KEY } from '../../support/collect/collect-client';
import type { Begin } from '../../support/one-service';
import { eventually, temporaryFolder, type RunningService, within } from '../../support/service';
import { TOKEN, workspace } from '../../support/workspace/workspace';
import { seeded, some } from '../../support/soak';

export function statementKills(begin: Begin): void {
  const [SHOP, ...OTHERS] = workspace.projects;
  /** Statements of clickhouse/queries, in about the order in which an install gets to them. */
  const STATEMENTS = [
    'touches.fill-clicks',
    'touches.index-clicks',
    'installs-by-identifier.fill',
    'attribution.take-batch',
    'attribution.batch',
    'attribution.match',
    'attribution.find-reinstalls',
    'attribution.find-candidates',
    'attribution.decide',
    'install-records.fill-app-events',
    'install-records.fill-installs',
    'install-journeys.select-dirty',
    'install-journeys.collect',
    'install-journeys.index-event-names',
    'install-journeys.expand-by-device',
    'install-journeys.find-root-installs',
    'install-journeys.derive',
    'install-journeys.delete-stale',
  ];
  const INSTALLS = 10;
  /** Takes seconds; a request to ClickHouse that gets no answer is given up after 30 s, and gone on with after that. */
  const WITHIN_MS = 90_000;

  const folder = temporaryFolder();
  const killFile = path.join(folder, 'statement');
  const env = {
    NODE_OPTIONS: `--require ${path.join(__dirname, '..', '..', 'support', 'ingest', 'kill-at-statement.js')}`,
    KILL_FILE: killFile,
  };
  let service: RunningService;
  const sent: string[] = [];

  beforeAll(async () => {
    service = await begin(env);
    await service.apply({ ...workspace, projects: [{ ...SHOP, server_keys: [SERVER_KEY] }, ...OTHERS] });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** Installs with an event each, every second one with a click; accepted, or sent again after the kill. */
  async function send(batch: readonly string[]): Promise<boolean> {
    const clicks = batch.filter((_, i) => i % 2 === 0);
    const answers = clicks.map((gaid) =>
      fetch(`${service.url}/v1/click/com.acme.shop?c=AbC123&tid=${gaid}&gaid=${gaid}`, {
        headers: { 'X-Service-Token': TOKEN },
      }),
    );
    // Before its installs, so that each of them is credited.
    const clicked = await Promise.allSettled(answers);
    if (clicked.some((answer) => answer.status === 'rejected' || answer.value.status !== 200)) return false;
    const events = batch.flatMap((gaid) => [
      appEvent('install', { event_id: `install-${gaid}`, install_id: gaid, gaid }),
      appEvent('event', { event_id: `event-${gaid}`, install_id: gaid, name: `named_${gaid.slice(0, 4)}` }),
    ]);
    const answer = await fetch(`${service.url}/collect/v1/app`, {
      method: 'POST',
      headers: { 'service-key': SERVER_KEY },
      body: JSON.stringify({ events }),
    }).catch(() => undefined);
    return answer?.status === 202;
  }

  test.each(some(STATEMENTS, 5, seeded()))('killed in %s', async (statement) => {
    const batch = Array.from({ length: INSTALLS }, () => crypto.randomUUID());
    fs.writeFileSync(killFile, statement);
    const isAccepted = await send(batch);
    await eventually(`it is killed in ${statement}`, () => service.child.signalCode ?? undefined, 20_000);
    fs.rmSync(killFile);
    await service.restart(env);
    if (!isAccepted) expect(await send(batch)).toBe(true);
    sent.push(...batch);
  });

  test('every install is decided once, with its click, and has one journey with its event', async () => {
    const decided = await within(
      'all are decided',
      async () => {
        const rows = await service.rows<{ install_id: string; rule: string }>(
          'SELECT install_id, toString(rule) AS rule FROM adtrail.installs',
        );
        return rows.length >= sent.length ? rows : undefined;
      },
      WITHIN_MS,
    ).catch(async (error: unknown) => {
      const open = await service.rows(
        `SELECT install_id, stored_at, received_at FROM adtrail.install_queue
       WHERE install_id NOT IN (SELECT install_id FROM adtrail.installs)`,
      );
      const told = service.output().split('\n').slice(-40).join('\n');
      throw new Error(`Not decided: ${JSON.stringify(open)}, while the service said:\n${told}`, { cause: error });
    });
    const clicked = new Set(sent.filter((_, i) => i % 2 === 0));
    const expected = sent.map((id) => ({ install_id: id, rule: clicked.has(id) ? 'device_click' : 'organic' }));
    const byId = (a: { install_id: string }, b: { install_id: string }) => (a.install_id < b.install_id ? -1 : 1);
    expect(decided.sort(byId)).toEqual(expected.sort(byId));

    const expectedJourneys = sent.map((id) => ({ install_id: id, names: [`named_${id.slice(0, 4)}`] })).sort(byId);
    const journeys = await within(
      'all have their journey',
      async () => {
        const rows = await service.rows<{ install_id: string; names: string[] }>(
          `SELECT install_id, arrayMap(name -> toString(name), event_names) AS names FROM adtrail.journeys FINAL
         WHERE notEmpty(event_names) AND report_view = 'user_acquisition'`,
        );
        return rows.length >= sent.length ? rows : undefined;
      },
      WITHIN_MS,
    );
    expect(journeys.sort(byId)).toEqual(expectedJourneys);

    // Nothing is in the index twice, and nothing is missing.
    const [touches] = await service.rows<{ touches: number; identifiers: number }>(
      `SELECT toUInt32((SELECT count() FROM adtrail.touches_by_id FINAL)) AS touches,
       toUInt32((SELECT uniqExact(touch_id) FROM adtrail.touches_by_identifier)) AS identifiers`,
    );
    expect(touches).toEqual({ touches: clicked.size, identifiers: clicked.size });
  }, 720_000);
}
