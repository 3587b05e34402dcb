/** The rows of the list: what is configured and what has figures, in their order, with what is open below them. */
import type { Campaign } from '../../api/campaigns';
import type { Report } from '../../api/queries';
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
  readonly before: Figures | undefined;
}

export const ORGANIC = 'organic';
export const rowId = (row: Row): string => JSON.stringify([row.kind, ...row.path]);
export const openName = (path: readonly string[]): string => JSON.stringify(path);

const readNetwork = ({ google, meta }: Campaign) => (google ? 'google' : meta ? 'meta' : '');
const chooseName = (campaign: Campaign | undefined, name: string) =>
  campaign?.default_link || name === 'MAIN_DOMAIN' ? text.systemCampaign : name;

/** Every campaign once: those with figures, then those that have none; the system's own only if it has any. */
export function campaignRows(report: Report, campaigns: readonly Campaign[], withSilent: boolean): Row[] {
  const known = new Map(campaigns.map((one) => [one.display_id, one]));
  const rows = report.results.map((result): Row => {
    const [id = '', network = '', partner = '', channel = ''] = result.dimensions;
    const campaign = known.get(id);
    known.delete(id);
    return {
      path: [id],
      kind: id === ORGANIC ? 'organic' : 'campaign',
      name: id === ORGANIC ? texts.organic : chooseName(campaign, result.labels[0] || id),
      network: network && valueName('app', 'network', network),
      partner,
      channel: channel && valueName('app', 'channel', channel),
      campaign,
      figures: readFigures(report, result.metrics),
      before: result.comparison && readFigures(report, result.comparison),
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
        before: undefined,
      };
    }),
  ];
}

/** The parts of an open row; a note where there are none. */
export function partRows(parent: Row, report: Report): Row[] {
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
    figures: readFigures(report, metrics),
    before: undefined,
  }));
}

export const noteRow = (parent: Row, name: string, kind: 'note' | 'loading' = 'note'): Row => ({
  ...parent,
  path: [...parent.path, ''],
  kind,
  name,
  campaign: undefined,
  figures: {},
  before: undefined,
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

/** Whether it costs more than it earns: only where spend is known. */
export const isLosing = ({ figures }: Pick<Row, 'figures'>): boolean => (figures.profit ?? 0) < 0;

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
