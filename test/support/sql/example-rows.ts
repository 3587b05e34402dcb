/** The rows that each example of the SQL page must have, by what else says the same. */
import type { Json } from '../collect/collect-client';
import { ask } from '../reports/query';
import type { Service } from '../service';
import { REPEATED_CLICKS } from './example-records';

export const NOW = Date.now();
export const DAY = 86_400_000;

export type Rows = unknown[][];
export interface Zone {
  readonly service: Service;
  readonly timezone: string;
  readonly key: string;
  readonly project: number;
  /** The events of the app that were sent. */
  readonly events: readonly Json[];
}

export const dayIn = (timezone: string, at: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(at);

async function get({ service, key }: Zone, path: string): Promise<Json> {
  const response = await service.request(path, { headers: { 'service-key': key } });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return (await response.json()) as Json;
}

/** What the endpoint is asked for the same figures; columns of the example that are compared. */
interface Same {
  readonly source?: string;
  readonly view?: string;
  readonly metrics: string[];
  readonly dimensions: string[];
  readonly columns: number[];
  readonly filters?: unknown[];
  /** The days of the project that are asked for; 28 where it is not said. */
  readonly days?: number;
}
export const SAME: Record<string, Same> = {
  'Installs by country': { metrics: ['installs'], dimensions: ['country'], columns: [0, 1] },
  'Sign-ups per day': { metrics: ['signups'], dimensions: ['day'], columns: [0, 1] },
  'Organic share per day': {
    metrics: ['installs'],
    dimensions: ['day'],
    columns: [0, 1],
    filters: [['is', 'campaign', ['organic']]],
  },
  'Installs per day': { metrics: ['installs'], dimensions: ['day'], columns: [0, 1] },
  'Installs by campaign': { metrics: ['installs'], dimensions: ['campaign'], columns: [0, 1] },
  'Revenue per day': { metrics: ['revenue'], dimensions: ['day'], columns: [0, 1] },
  'Spend per day': { metrics: ['spend'], dimensions: ['day'], columns: [0, 1] },
  'ROAS by campaign': { metrics: ['revenue', 'spend', 'roas'], dimensions: ['campaign'], columns: [0, 1, 2, 3] },
  'Retention by install week': {
    metrics: ['installs', 'classic_retention_d1', 'classic_retention_d7', 'classic_retention_d30'],
    dimensions: ['week'],
    columns: [0, 1, 2, 3, 4],
    days: 70,
  },
  'Unique visitors per day': { source: 'web', metrics: ['visitors'], dimensions: ['day'], columns: [0, 1] },
  'Quality of partners': { metrics: ['installs', 'suspicious'], dimensions: ['partner'], columns: [0, 1, 2] },
  'Clicks per day and country': {
    metrics: ['clicks'],
    dimensions: ['day', 'country'],
    columns: [0, 1, 2],
    // An ad network tells no countries of the clicks that it counts.
    filters: [['contains', 'campaign_name', ['ads']]],
    days: 7,
  },
};

export async function askSame(
  { service, timezone, key }: Zone,
  { days = 28, columns: _, ...question }: Same,
): Promise<Rows> {
  const { results } = await ask(service, key, {
    ...{ source: 'app', ...question },
    from: dayIn(timezone, NOW - (days - 1) * DAY),
    to: dayIn(timezone, NOW),
  });
  return results.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);
}

/** What no single question says: the rows that an example must have. */
export const EXPECTED: Record<string, (zone: Zone) => Promise<Rows> | Rows> = {
  /** Two questions, one for each view. */
  async 'Decisions by network and rule'(zone) {
    const of = { dimensions: ['network', 'rule'], columns: [] };
    const installs = await askSame(zone, { ...of, metrics: ['installs'] });
    const again = await askSame(zone, { ...of, metrics: ['reinstalls'], view: 'retargeting' });
    const find = (rows: Rows, key: string) =>
      rows.find((row) => key === `${String(row[0])} ${String(row[1])}`)?.[2] ?? 0;
    const keys = [...installs, ...again].filter((row) => row[1] !== '' && row[2] !== 0);
    return [...new Set(keys.map(([network, rule]) => `${String(network)} ${String(rule)}`))].map((key) => [
      ...key.split(' '),
      find(installs, key),
      find(again, key),
    ]);
  },
  /** The list of installs has the time of each. */
  async 'Time from touch to install'(zone) {
    const from = dayIn(zone.timezone, NOW - 27 * DAY);
    const { installs } = (await get(zone, `/api/v1/installs?limit=200&from=${from}`)) as { installs: Json[] };
    const groups = new Map<string, number[]>();
    for (const { campaign, touch_type, seconds_to_install } of installs) {
      if (seconds_to_install === null) continue;
      const group = JSON.stringify([(campaign as Json).name, touch_type]);
      groups.set(group, [...(groups.get(group) ?? []), seconds_to_install as number]);
    }
    return [...groups].map(([group, seconds]) => {
      const sorted = seconds.sort((a, b) => a - b);
      const at = (level: number) => Math.round((sorted[Math.floor(level * sorted.length)] as number) / 36) / 100;
      return [...(JSON.parse(group) as string[]), seconds.length, at(0.5), at(0.9)];
    });
  },
  /** The explanation of each of the latest installs. */
  async 'Why the latest installs were credited so'(zone) {
    const { installs } = (await get(zone, '/api/v1/installs?limit=20')) as { installs: Json[] };
    const explained = await Promise.all(
      installs.map(({ install_id }) =>
        get(zone, `/api/v1/installs/${encodeURIComponent(String(install_id))}/explanation`),
      ),
    );
    return explained.flatMap(({ install_id, install, decision, candidates }) => {
      const decidedBy = [install_id, (install as Json).install_time, (decision as Json).rule];
      const touches = candidates as Json[];
      if (touches.length === 0) return [[...decidedBy, '', '', null, '']];
      return touches.map((one) => [...decidedBy, one.rule, one.touch_type, one.touch_time, one.verdict]);
    });
  },
  /** By days since the install, of installs whose seven days are over. */
  async 'Value by install week'({ service, key, timezone }) {
    const { results } = await ask(service, key, {
      ...{ source: 'app', metrics: ['revenue'], dimensions: ['install_week', 'day_n'] },
      from: dayIn(timezone, NOW - 69 * DAY),
      to: dayIn(timezone, NOW - 8 * DAY),
    });
    const weeks = new Map<string, number>();
    for (const { dimensions, metrics } of results) {
      const [week = '', day] = dimensions;
      if (Number(day) <= 7) weeks.set(week, (weeks.get(week) ?? 0) + (metrics[0] ?? 0));
    }
    return [...weeks].filter(([, value]) => value !== 0);
  },
  /** What was sent: no endpoint counts events of every type. */
  'App events by name'({ events, timezone }) {
    const since = dayIn(timezone, NOW - 6 * DAY);
    const groups = new Map<string, string[]>();
    for (const { type, name = '', time, install_id } of events) {
      if (dayIn(timezone, Date.parse(String(time))) < since) continue;
      const group = JSON.stringify([type, name]);
      groups.set(group, [...(groups.get(group) ?? []), String(install_id)]);
    }
    return [...groups].map(([group, installs]) => [
      ...(JSON.parse(group) as string[]),
      installs.length,
      new Set(installs).size,
    ]);
  },
  /** The endpoint names pages with their host. */
  async 'Most viewed pages'(zone) {
    const question = { source: 'web', metrics: ['page_views', 'visitors'], dimensions: ['page'], columns: [] };
    const rows = await askSame(zone, { ...question, days: 7 });
    return rows.map(([page, ...counts]) => [String(page).replace('shop.example', ''), ...counts]);
  },
  /** What was sent: no endpoint shows addresses. */
  'Clicks that repeat an address': ({ timezone }) => [
    [dayIn(timezone, NOW), expect.stringMatching(/Ads \d$/), '8.8.8.8', REPEATED_CLICKS, 1],
  ],
  /** The quality of partners counts them by reason. */
  async 'Refused requests by reason'(zone) {
    const range = `from=${dayIn(zone.timezone, NOW - 6 * DAY)}&to=${dayIn(zone.timezone, NOW)}`;
    const { partners } = (await get(zone, `/api/v1/partner-quality?${range}`)) as { partners: Json[] };
    return partners.flatMap(({ refused }) =>
      Object.entries(refused as Record<string, number>).map(([reason, count]) => ['impression', reason, count]),
    );
  },
  /** The log of messages. */
  async 'Outcomes of postbacks'({ service, project, timezone }) {
    const { body } = await service.admin('GET', `/projects/${project}/postbacks/log?limit=100`);
    const groups = new Map<string, number[]>();
    for (const { attempted_at, kind, event, outcome, latency_ms } of body.attempts as Json[]) {
      const group = JSON.stringify([dayIn(timezone, Date.parse(String(attempted_at))), kind, event, outcome]);
      groups.set(group, [...(groups.get(group) ?? []), latency_ms as number]);
    }
    return [...groups].map(([group, latencies]) => [
      ...(JSON.parse(group) as string[]),
      latencies.length,
      expect.closeTo(latencies.reduce((sum, one) => sum + one, 0) / latencies.length, -0.4) as unknown,
    ]);
  },
};
