/** The queries behind web reporting, one function a file. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';
import type { QueryBudget } from '../reporting/query-budget';
import type { Grouping, ReportInput } from './input';

const sql = (name: string) => readQuery('sql', `web-report.${name}`);
const ch = (name: string) => readQuery('clickhouse', `web-report.${name}`);
const texts = {
  campaigns: sql('campaigns'),
  pauses: sql('pauses'),
  rows: ch('rows'),
  googleListing: ch('google-listing'),
  spend: ch('spend'),
  spendSums: ch('spend-sums'),
};

/** A row of the report, or its totals; an empty id is the bucket without a key. */
export interface SummedRow extends Row {
  readonly id: string;
  readonly is_total: 0 | 1;
  /** The campaign that the id means; 0 for none. */
  readonly campaign_id: number;
  readonly name: string;
  readonly main_source: string;
  readonly merged: 0 | 1;
  readonly visitors: number;
  readonly sessions: number;
  readonly page_views: number;
  readonly signups: number;
  readonly unique_signup_users: number;
  readonly signup_visitors: number;
  readonly purchases: number;
  readonly revenue: number;
  /** Names, and how often each occurred. */
  readonly event_counts: readonly [readonly string[], readonly number[]];
  /** How many rows there are on all pages. */
  readonly total: number;
  readonly truncated: 0 | 1;
}

export interface PauseRow extends Row {
  readonly campaign_id: number;
  /** The first millisecond that does not count, and the first that counts again; null while the pause lasts. */
  readonly from_ms: number;
  readonly until_ms: number | null;
}

export interface CampaignRow extends Row {
  readonly id: number;
  readonly display_id: string;
  readonly deeplink: string | null;
  readonly is_shortlink: boolean;
  readonly own_domain: string | null;
  readonly paused: boolean;
}

/** What a row is, under each grouping. */
const ID: Readonly<Record<Grouping, string>> = {
  campaign: "if(campaign_keys.merged_id != '', campaign_keys.merged_id, all_touches.key)",
  channel: 'toString(all_touches.channel)',
  source: 'toString(all_touches.source)',
  network_campaign: 'all_touches.network_campaign_id',
  ad_set: 'all_touches.ad_set_id',
  ad: 'all_touches.ad_id',
};
const NO_KEY: Readonly<Record<Grouping, string>> = {
  campaign: '(no campaign ID)',
  channel: '(no channel)',
  source: '(no source)',
  network_campaign: '(no ad network campaign)',
  ad_set: '(no ad set)',
  ad: '(no ad)',
};
/** Whether the ID of a row is looked for among the campaigns: of the network, where there is one. */
const MATCHES_CAMPAIGNS: Partial<Record<Grouping, string>> = {
  campaign: '1',
  network_campaign: 'campaign_keys.network = upper({channel:String})',
};

const SOURCES =
  '(SELECT arrayPushBack(groupArray(source), 0) FROM (SELECT sipHash64(source) AS source FROM touches ORDER BY touch)) AS sources_of,';
const SOURCE_MARKS =
  'arrayMap(nth -> nth = 1, arrayEnumerateUniq(row_list, arrayMap(touch -> transform(touch, touches_of, sources_of, toUInt64(0)), touch_list)))';
const MAX_LISTED = 1_000;

/** Pauses as parameters: one index a campaign, with the beginnings and ends of its pauses. */
function pauseParams(pauses: readonly PauseRow[]) {
  const campaigns = [...new Set(pauses.map((pause) => pause.campaign_id))];
  const of = (id: number) => pauses.filter((pause) => pause.campaign_id === id);
  return {
    paused_campaigns: campaigns,
    pause_begins: campaigns.map((id) => of(id).map((pause) => pause.from_ms)),
    pause_ends: campaigns.map((id) => of(id).map((pause) => pause.until_ms ?? Number.MAX_SAFE_INTEGER)),
  };
}

const PAUSED = `(SELECT arrayPushBack(groupArray(touch), 18446744073709551615) FROM (SELECT touch FROM touches WHERE has({paused_campaigns:Array(UInt32)}, campaign_id) ORDER BY touch)) AS paused_touches,
  (SELECT arrayPushBack(groupArray(nth), 0) FROM (SELECT toUInt64(indexOf({paused_campaigns:Array(UInt32)}, campaign_id)) AS nth FROM touches WHERE has({paused_campaigns:Array(UInt32)}, campaign_id) ORDER BY touch)) AS pauses_of,
  {pause_begins:Array(Array(UInt64))} AS begins,
  {pause_ends:Array(Array(UInt64))} AS ends,`;
const NOT_PAUSED =
  ' AND NOT arrayExists((begins_at, ends_at) -> pause_time >= begins_at AND pause_time < ends_at, begins[transform(touch, paused_touches, pauses_of, toUInt64(0))], ends[transform(touch, paused_touches, pauses_of, toUInt64(0))])';

const NO_EVENTS = "CAST(([], []), 'Tuple(Array(String), Array(UInt64))')";
const eventSums = (notPaused: string) => `event_sums AS (
    SELECT touch, sumMap([name], [toUInt64(times)]) AS counts
    FROM (
      SELECT
        \`event.{{model}}_touch\` AS touch_list, \`event.name\` AS name_list, \`event.count\` AS time_list,
        arrayMap((touch, day, pause_time, name) -> if(has({events:Array(String)}, name) AND day BETWEEN {from:Date} AND {to:Date}${notPaused}, transform(touch, touches_of, rows_of, toUInt64(0)), 0), touch_list, \`event.day\`, \`event.pause_time\`, name_list) AS row_list
      FROM adtrail.web_visitors FINAL
      WHERE project_id = {project_id:UInt32} AND last_day >= {from:Date} AND first_day <= {to:Date} AND hasAny(\`event.name\`, {events:Array(String)})
    )
    ARRAY JOIN touch_list AS touch, row_list AS row, name_list AS name, time_list AS times
    WHERE row != 0
    GROUP BY touch
  ),`;

/** Fills the closed lists into the text of the query. */
function rowsText(input: ReportInput, paused: boolean, listsGoogle: boolean): string {
  const { groupBy } = input;
  const notPaused = paused ? NOT_PAUSED : '';
  const withEvents = input.events.length > 0;
  const parts: Record<string, string> = {
    event_sums: withEvents ? eventSums(notPaused) : '',
    sum_events: withEvents ? 'sumMap(by_source.event_counts)' : 'any(by_source.event_counts)',
    event_counts: withEvents ? 'sumMap(event_sums.counts)' : `any(${NO_EVENTS})`,
    join_events: withEvents ? 'LEFT JOIN event_sums ON element_sums.touch = event_sums.touch' : '',
    paused: paused ? PAUSED : '',
    not_paused: notPaused,
    id: ID[groupBy],
    sources: groupBy === 'campaign' ? SOURCES : '',
    source_marks: groupBy === 'campaign' ? SOURCE_MARKS : 'row_marks',
    matches_campaigns: MATCHES_CAMPAIGNS[groupBy] ?? '0',
    google_campaigns: listsGoogle ? texts.googleListing : '',
    join_listed: listsGoogle
      ? `FULL JOIN (SELECT id FROM google_campaigns WHERE place <= ${MAX_LISTED}) AS listed ON summed.id = listed.id`
      : '',
    not_omitted: listsGoogle
      ? `WHERE is_total OR {{summed_id}} NOT IN (SELECT id FROM google_campaigns WHERE place > ${MAX_LISTED})`
      : '',
    summed_id: listsGoogle ? "if(summed.id = '', listed.id, summed.id)" : 'summed.id',
    truncated: listsGoogle ? `(SELECT count() > ${MAX_LISTED} FROM google_campaigns)` : '0',
    sort: input.sortField,
    order: input.sortOrder === 'ascending' ? 'ASC' : 'DESC',
    model: input.attribution === 'last_touch' ? 'last' : 'first',
  };
  return Object.entries(parts).reduce((text, [name, part]) => text.replaceAll(`{{${name}}}`, part), texts.rows);
}

export interface RowsOptions {
  readonly projectId: number;
  readonly pauses: readonly PauseRow[];
  /** Whether Google's synced campaigns are listed even without visitors. */
  readonly listsGoogle: boolean;
}

/** The rows of the page in their order, and before them the totals; nothing at all where no event matches. */
export function readRows(
  db: QueryBudget,
  input: ReportInput,
  { projectId, pauses, listsGoogle }: RowsOptions,
): Promise<SummedRow[]> {
  const { offset, limit } = input.page;
  const params = {
    ...input.filters,
    project_id: projectId,
    from: input.from,
    to: input.to,
    no_key: NO_KEY[input.groupBy],
    first: offset + 1,
    last: offset + limit,
  };
  const paused = pauses.length > 0;
  return db.rows<SummedRow>(rowsText(input, paused, listsGoogle), {
    ...params,
    ...(paused ? pauseParams(pauses) : {}),
    ...(input.events.length > 0 ? { events: input.events } : {}),
  });
}

export const readPauses = (db: Queryable, projectId: number) => db.rows<PauseRow>(texts.pauses, [projectId]);
export const readCampaigns = (db: Queryable, projectId: number, ids: readonly number[]) =>
  db.rows<CampaignRow>(texts.campaigns, [projectId, ids]);

export interface SpendRow extends Row {
  readonly campaign_id: number;
  readonly spend: number | null;
}

/** The spend of campaigns on the days of the report; none where nothing was spent. */
export const readSpend = (db: QueryBudget, projectId: number, { from, to }: ReportInput, ids: readonly number[]) =>
  db.rows<SpendRow>(texts.spend, { project_id: projectId, from, to, campaign_ids: ids });

export interface SpendSumRow extends Row {
  readonly network: string;
  readonly spend: number;
  readonly currencies: readonly string[];
}

/** Which campaigns' spend is summed; empty for all. */
export interface SpendFilter {
  readonly networks: readonly string[];
  readonly network_campaign_id: string;
  readonly search: string;
}

/** The spend on the days of the report by ad network. */
export const readSpendSums = (db: QueryBudget, projectId: number, { from, to }: ReportInput, filter: SpendFilter) =>
  db.rows<SpendSumRow>(texts.spendSums, { project_id: projectId, from, to, ...filter });
