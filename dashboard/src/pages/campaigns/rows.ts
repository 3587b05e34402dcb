/** The rows of the list: what is configured and what has figures, in their order, with what is open below them. */
import type { Campaign } from '../../api/campaigns';
import type { Report } from '../../api/queries';
import type { Measured, ReadChange } from '../../changes';
import { judge, type Verdict } from '../../judge';
import { valueName } from '../../names';
import { texts } from '../../texts';
import { readFigures, type Figures } from './questions';
import { campaigns as text } from '../../texts/campaigns';

export interface Row {
  /** Its path: the campaign, its ad set, its ad. */
  readonly path: readonly string[];
  readonly kind: 'campaign' | 'organic' | 'ad_set' | 'ad' | 'note' | 'loading';
  readonly name: string;
  readonly network: string;
  readonly partner: string;
  readonly channel: string;
  /** As it is configured; undefined for organic, for parts, and for a campaign that was deleted. */
  readonly campaign: Campaign | undefined;
  readonly figures: Figures;
  /** What the change of a metric is measured by. */
  readonly change: ((metric: string) => Measured | undefined) | undefined;
  /** By the day that the page judges by; undefined of what has no spend, and of parts. */
  readonly verdict: Verdict | undefined;
}

export const ORGANIC = 'organic';
export const rowId = (row: Row): string => JSON.stringify([row.kind, ...row.path]);
export const openName = (path: readonly string[]): string => JSON.stringify(path);

const readNetwork = ({ google, meta }: Campaign) => (google ? 'google' : meta ? 'meta' : '');
const chooseName = (campaign: Campaign | undefined, name: string) =>
  campaign?.default_link || name === 'MAIN_DOMAIN' ? text.systemCampaign : name;

/** By which day campaigns are judged, and what they must reach. */
export interface Judging {
  readonly horizon: number;
  readonly target: number;
}

/** The figures of a row of each answer together. */
function mergeFigures(
  reports: readonly (Report | undefined)[],
  isRow: (dimensions: readonly string[]) => boolean,
): Figures {
  const found = reports.map((report) => {
    const row = report?.results.find(({ dimensions }) => isRow(dimensions));
    return report && row ? readFigures(report, row.metrics) : {};
  });
  return Object.assign({}, ...found) as Figures;
}

const judgeFigures = (figures: Figures, { horizon, target }: Judging): Verdict | undefined =>
  (figures.spend ?? 0) > 0 && `mature_d${horizon}` in figures
    ? judge({ roas: figures[`roas_d${horizon}`], mature: figures[`mature_d${horizon}`] }, target)
    : undefined;

/** What no campaign is credited with, as a row of its own; undefined where there is nothing. */
export function organicRow(reports: readonly (Report | undefined)[], readChange?: ReadChange): Row | undefined {
  const row = reports[0]?.results[0];
  if (!row) return undefined;
  return {
    ...{ path: [ORGANIC], kind: 'organic', name: texts.organic, network: '', partner: '', channel: '' },
    campaign: undefined,
    figures: mergeFigures(reports, () => true),
    change: (metric) => readChange?.(row.dimensions.slice(0, 1), metric),
    verdict: undefined,
  };
}

/**
 * Every campaign once: those with figures, then those that have none; the system's own only if it has any. `cohorts`:
 * what they had paid back, by day.
 */
export function campaignRows(
  report: Report,
  campaigns: readonly Campaign[],
  withSilent: boolean,
  cohorts: readonly Report[],
  judging: Judging,
  readChange?: ReadChange,
): Row[] {
  const later = cohorts.map(
    (one) => new Map(one.results.map((row) => [row.dimensions[0], readFigures(one, row.metrics)])),
  );
  const known = new Map(campaigns.map((one) => [one.display_id, one]));
  const rows = report.results.map((result): Row => {
    const [id = '', network = '', partner = '', channel = ''] = result.dimensions;
    const campaign = known.get(id);
    known.delete(id);
    const own = later.map((figures) => figures.get(id) ?? {});
    const figures = Object.assign(readFigures(report, result.metrics), ...own) as Figures;
    return {
      path: [id],
      kind: 'campaign',
      name: chooseName(campaign, result.labels[0] || id),
      network: network && valueName('app', 'network', network),
      partner,
      channel: channel && valueName('app', 'channel', channel),
      campaign,
      figures,
      change: (metric) => readChange?.([id], metric),
      verdict: judgeFigures(figures, judging),
    };
  });
  const silent = [...known.values()].filter((one) => withSilent && !one.default_link);
  const nothing = readFigures(
    report,
    report.totals?.map(() => null),
  );
  return [
    ...rows,
    ...silent.map((campaign): Row => {
      const network = readNetwork(campaign);
      return {
        path: [campaign.display_id],
        kind: 'campaign',
        name: chooseName(campaign, campaign.name),
        network: network && valueName('app', 'network', network),
        partner: '',
        channel: campaign.custom_channels[0]?.name ?? '',
        campaign,
        figures: nothing,
        change: undefined,
        verdict: undefined,
      };
    }),
  ];
}

/** The parts of an open row; a note where there are none. */
export function partRows(parent: Row, report: Report, cohorts: readonly (Report | undefined)[] = []): Row[] {
  const isOfCampaign = parent.path.length === 1;
  const without = isOfCampaign ? text.withoutAdSet : text.withoutAd;
  if (report.results.every(({ dimensions }) => dimensions[0] === ''))
    return [noteRow(parent, isOfCampaign ? text.noAdSets : text.noAds)];
  return report.results.map(({ dimensions, labels, metrics }): Row => ({
    ...parent,
    path: [...parent.path, dimensions[0] ?? ''],
    kind: isOfCampaign ? 'ad_set' : 'ad',
    name: labels[0] || dimensions[0] || without,
    campaign: undefined,
    figures: {
      ...readFigures(report, metrics),
      ...mergeFigures(cohorts, (one) => one[0] === dimensions[0]),
    },
    change: undefined,
    verdict: undefined,
  }));
}

export const noteRow = (parent: Row, name: string, kind: 'note' | 'loading' = 'note'): Row => ({
  ...parent,
  path: [...parent.path, ''],
  kind,
  name,
  campaign: undefined,
  figures: {},
  change: undefined,
  verdict: undefined,
});

const NAMES = ['name', 'network', 'partner', 'channel'] as const;

/** In the order of a column, `-` for greatest first; missing values last. */
export function sorted(rows: readonly Row[], sort: string): Row[] {
  const column = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const name = NAMES.find((one) => one === column);
  const compare = (a: Row, b: Row) => {
    if (name) return sign * a[name].localeCompare(b[name], 'en', { numeric: true, sensitivity: 'base' });
    const [x, y] = [a.figures[column] ?? null, b.figures[column] ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  };
  return [...rows].sort((a, b) => compare(a, b) || a.name.localeCompare(b.name));
}

export interface Narrowing {
  readonly state: 'all' | 'active' | 'paused';
  readonly search: string | undefined;
}

/** The rows that a search and a state leave; organic installs have no state. */
export function narrowed(rows: readonly Row[], { state, search = '' }: Narrowing): Row[] {
  const wanted = search.trim().toLowerCase();
  return rows.filter(
    ({ campaign, name, path }) =>
      (state === 'all' || (campaign !== undefined && campaign.active === (state === 'active'))) &&
      (wanted === '' || name.toLowerCase().includes(wanted) || (path[0] ?? '').toLowerCase().includes(wanted)),
  );
}
