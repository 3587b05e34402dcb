/** Traffic to several processes of one installation, and whether what they accepted is there once. */
import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent, SERVER_KEY } from './collect-client';
import { eventually, type RunningService } from '../service';
import { TOKEN, workspace } from '../workspace/workspace';

const LANES = 8;
/** An install that is received within the millisecond of its click is not after it. */
const BREATH_MS = 3;
const CAMPAIGNS = ['AbC123', 'second', 'alt'];

/** The workspace of the tests, in which the project of the traffic has the server key of `SERVER_KEY`. */
export const trafficWorkspace = {
  ...workspace,
  projects: workspace.projects.map((project) =>
    project.name === 'Acme Shop' ? { ...project, server_keys: [SERVER_KEY] } : project,
  ),
};

const pickOne = <T>(some: readonly T[]): T => some[Math.floor(Math.random() * some.length)] as T;

/** Posts a click; resolves with the status, or undefined where nobody answered. */
export async function click(of: RunningService, campaign: string, tid: string): Promise<number | undefined> {
  const url = `${of.url}/v1/click/com.acme.shop?c=${campaign}&tid=${tid}&gaid=${tid}`;
  return fetch(url, { headers: { 'X-Service-Token': TOKEN } }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => undefined,
  );
}

async function install(of: RunningService, gaid: string): Promise<number | undefined> {
  const body = JSON.stringify({
    events: [appEvent('install', { event_id: `install-${gaid}`, install_id: gaid, gaid })],
  });
  return fetch(`${of.url}/collect/v1/app`, { method: 'POST', headers: { 'service-key': SERVER_KEY }, body }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => undefined,
  );
}

/** What was accepted, and by whom. */
export interface Traffic {
  /** The process that accepted each click, by its tid, which is the device of its install too. */
  readonly clicks: ReadonlyMap<string, RunningService>;
  readonly installs: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Posts clicks, each fourth with its install, to processes that take them, until it is stopped. */
export function startTraffic(takers: {
  readonly clicks: () => readonly RunningService[];
  readonly installs: () => readonly RunningService[];
}): Traffic {
  const [clicks, installs] = [new Map<string, RunningService>(), new Set<string>()];
  let going = true;
  const lane = async (): Promise<void> => {
    for (let n = 0; going; n++) {
      const gaid = crypto.randomUUID();
      const taker = pickOne(takers.clicks());
      if ((await click(taker, pickOne(CAMPAIGNS), gaid)) !== 200) {
        await sleep(20);
        continue;
      }
      clicks.set(gaid, taker);
      await sleep(BREATH_MS);
      if (n % 4 === 0 && (await install(pickOne(takers.installs()), gaid)) === 202) installs.add(gaid);
    }
  };
  const lanes = Array.from({ length: LANES }, lane);
  return {
    clicks,
    installs,
    async stop() {
      going = false;
      await Promise.all(lanes);
    },
  };
}

const CLICKS = 'SELECT tid AS id, toUInt32(count()) AS times FROM analytics.clicks GROUP BY id';
const INSTALLS = 'SELECT install_id AS id, toUInt32(count()) AS times FROM analytics.installs GROUP BY id';
const CREDITED = 'SELECT install_id AS id FROM analytics.installs WHERE campaign_id != 0';

/** Every accepted click is there once, every accepted install is decided once and credited to its own click. */
export async function expectThereOnce(service: RunningService, { clicks, installs }: Traffic): Promise<void> {
  const notOnce = async (sql: string, wanted: Iterable<string>): Promise<string[]> => {
    const rows = await service.rows<{ id: string; times: number }>(sql);
    const times = new Map(rows.map((row) => [row.id, row.times]));
    const twice = rows.filter((row) => row.times > 1).map(({ id }) => id);
    return [...twice, ...[...wanted].filter((id) => !times.has(id))];
  };
  for (const [what, sql, wanted] of [
    ['every click is there once', CLICKS, clicks.keys()],
    ['every install is decided once', INSTALLS, installs],
  ] as const) {
    const all = [...wanted];
    await eventually(what, async () => ((await notOnce(sql, all)).length === 0 ? true : undefined))
      // The IDs say more than that it has not come.
      .catch(async () => expect(await notOnce(sql, all)).toEqual([]));
  }
  const rows = await service.rows<{ id: string }>(CREDITED);
  const credited = new Set(rows.map(({ id }) => id));
  expect([...installs].filter((id) => !credited.has(id))).toEqual([]);
}
