/** The partner portal's rows as answers (pure). */
import type { DayRange } from '../lib/parameters';
import { DAY_MS, HOUR_MS } from '../lib/time';
import type { TrafficInput } from './input';
import type { CampaignRow, CreditedRow, ProjectRow } from './queries';
import type { Traffic, TrafficByCampaign } from './service';

export const presentCampaign = (row: CampaignRow) => ({
  display_id: row.display_id,
  name: row.name,
  project_id: row.project_id,
  project: row.project,
  account: row.account,
  active: row.active,
  paused: row.paused,
  created_at: row.created_at.toISOString(),
  apps: row.apps,
  tracking_link: row.domain === null ? null : `https://${row.domain}/?c=${row.display_id}`,
  switches: {
    s2s_clicks: row.s2s_clicks,
    s2s_traffic: row.s2s_traffic,
    view_through: row.view_through,
    ctv_apps: row.ctv_apps,
    view_window_hours: row.view_window_hours,
  },
});

const COUNTS = [
  'clicks',
  'impressions',
  'ctv_impressions',
  'link_clicks',
  'repeats',
  'installs',
  'reinstalls',
  'reengagements',
  'signups',
  'payments',
  'events',
] as const;
type Figures = Record<(typeof COUNTS)[number], number> & { refused: Record<string, number> };

const nothing = (): Figures => ({
  ...(Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<(typeof COUNTS)[number], number>),
  refused: {},
});

const TOUCHES = {
  click: 'clicks',
  impression: 'impressions',
  ctv_impression: 'ctv_impressions',
  link_click: 'link_clicks',
} as const;

/** The figures of each slot, in their order; what is of no slot is left out. */
function sumFigures(slots: readonly number[], traffic: Traffic): Map<number, Figures> {
  const figures = new Map(slots.map((slot) => [slot, nothing()]));
  const of = (slot: number) => figures.get(slot) ?? nothing();
  for (const { slot, what, touches } of traffic.touches) of(slot)[TOUCHES[what]] += touches;
  for (const { slot, kind, outcome, requests } of traffic.requests) {
    const found = of(slot);
    // What was accepted without making a new touch repeats one.
    if (outcome === 'accepted') found.repeats += Math.max(0, requests - found[TOUCHES[kind]]);
    else found.refused[outcome] = (found.refused[outcome] ?? 0) + requests;
  }
  for (const { slot, ...counts } of [...traffic.installs, ...traffic.events]) add(of(slot), counts);
  return figures;
}

/** Every bucket of the range in order, also those without anything, and their sums. */
export function presentTraffic({ from, to, granularity }: TrafficInput, traffic: Traffic) {
  const step = granularity === 'hour' ? HOUR_MS : DAY_MS;
  const times: number[] = [];
  for (let at = Date.parse(from); at < Date.parse(to) + DAY_MS; at += step) times.push(at / 1000);
  const buckets = sumFigures(times, traffic);
  const totals = nothing();
  for (const { refused, ...counts } of buckets.values()) {
    add(totals, counts);
    for (const [reason, requests] of Object.entries(refused))
      totals.refused[reason] = (totals.refused[reason] ?? 0) + requests;
  }
  return {
    from,
    to,
    granularity,
    buckets: [...buckets].map(([at, figures]) => ({ time: new Date(at * 1000).toISOString(), ...figures })),
    totals,
    complete_until: formatInstant(traffic.completeUntil),
  };
}

/** Every project that works with the partner, by ID. */
export function presentByProject({ from, to }: DayRange, projects: readonly ProjectRow[], traffic: Traffic) {
  const figures = sumFigures(
    projects.map(({ id }) => id),
    traffic,
  );
  return {
    from,
    to,
    projects: projects.map(({ id, name, account }) => ({
      project_id: id,
      project: name,
      account,
      ...(figures.get(id) ?? nothing()),
    })),
    complete_until: formatInstant(traffic.completeUntil),
  };
}

/** Every campaign that anything happened for, that with most installs first. */
export function presentByCampaign({ from, to }: DayRange, { campaigns, traffic }: TrafficByCampaign, limit: number) {
  const figures = sumFigures(
    campaigns.map(({ id }) => id),
    traffic,
  );
  const rows = campaigns.map(({ id, ...campaign }) => {
    const found = figures.get(id) ?? nothing();
    const clicks = found.clicks + found.link_clicks;
    return { ...campaign, ...found, conversion: clicks === 0 ? null : round((found.installs / clicks) * 100) };
  });
  rows.sort((a, b) => b.installs - a.installs || b.clicks - a.clicks || a.display_id.localeCompare(b.display_id, 'en'));
  return {
    from,
    to,
    campaigns: rows.slice(0, limit),
    total: rows.length,
    complete_until: formatInstant(traffic.completeUntil),
  };
}

/** To two decimals. */
const round = (percent: number) => Math.round(percent * 100) / 100;

function add(figures: Figures, counts: Readonly<Record<string, unknown>>): void {
  for (const name of COUNTS) figures[name] += Number(counts[name] ?? 0);
}

export const formatInstant = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export const presentCredited = (row: CreditedRow) => ({
  install_time: new Date(row.install_time).toISOString(),
  kind: row.reinstall ? ('reinstall' as const) : ('install' as const),
  project_id: row.project_id,
  display_id: row.display_id,
  campaign: row.campaign,
  touch_type: row.touch_type,
  rule: row.rule,
  touch_time: row.touch_time === null ? null : new Date(row.touch_time).toISOString(),
  tid: row.tid || null,
  s2: row.s2 || null,
  s3: row.s3 || null,
  s4: row.s4 || null,
  country: row.country,
  platform: row.platform,
  suspicious: row.suspicious === 1,
});
