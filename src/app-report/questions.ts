/** What the report asks of the model of app figures (src/figures/app-model.ts). */
import { compile, type Filter } from '../figures/compile';
import {
  amounts,
  APP,
  clicks,
  earned,
  earnings,
  events,
  lives,
  networkClicks,
  ofCohort,
  paid,
  spend,
  spent,
  trackedClicks,
} from '../figures/app-model';
import { count, IN_RANGE, measure, listMeasures, type Dimension, type Fact, type Measure } from '../figures/model';
import { readQuery } from '../db/sql';
import type { QueryBudget } from '../reporting/query-budget';
import type { View } from './input';

/** What rows are grouped by: campaigns, or their parts. */
export type Level = 'campaign' | 'ad_set' | 'ad' | 'keyword';
export const LEVELS: readonly Level[] = ['campaign', 'ad_set', 'ad', 'keyword'];

/** What the figures of a report are about. */
export interface Scope {
  readonly project_id: number;
  readonly view: View;
  readonly campaigns: readonly number[];
  readonly platform: 'IOS' | 'ANDROID' | '';
  readonly levels: readonly Level[];
  /** Days in the project's time zone, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly timezone: string;
  readonly currency: string;
  /** When the window of active users began (milliseconds), and the first day that is wholly in it. */
  readonly active_since: number;
  readonly active_from: string;
}

/** What a row is about; a part that its level does not have is empty, or absent. */
export interface Key {
  readonly level: Level;
  readonly campaign_id: number;
  readonly ad_set?: string;
  readonly ad?: string;
  readonly keyword?: string;
}

/** Whether a row counts at a level: it does where it names the part. */
const COUNTS_AT: Readonly<Record<Level, string>> = {
  campaign: '1',
  ad_set: "facts.ad_set != ''",
  ad: "facts.ad_set != '' AND facts.ad != ''",
  keyword: "facts.keyword != ''",
};
/** The parts by which rows of a level are told apart. */
const PARTS_OF: Readonly<Record<Level, readonly string[]>> = {
  campaign: [],
  ad_set: ['ad_set'],
  ad: ['ad_set', 'ad'],
  keyword: ['ad_set', 'keyword'],
};

/** Rows are put to their levels late, when they are few. */
function byLevel(levels: readonly Level[]): Dimension[] {
  const parts = [...new Set(levels.flatMap((level) => PARTS_OF[level]))];
  const lists = levels.map((level) =>
    level === 'campaign' ? "['campaign']" : `if(${COUNTS_AT[level]}, ['${level}'], [])`,
  );
  return [
    {
      name: 'level',
      columns: parts,
      value: 'at_level',
      expands: `ARRAY JOIN arrayConcat(\n  ${lists.join(',\n  ')}) AS at_level`,
    },
    ...parts.map((part): Dimension => {
      const having = levels.filter((level) => PARTS_OF[level].includes(part)).map((level) => `'${level}'`);
      return { name: part, columns: [part], value: `if(at_level IN (${having.join(', ')}), facts.${part}, '')` };
    }),
  ];
}

const plain = (name: string): Dimension => ({ name, columns: [name], value: `facts.${name}` });

/** The rows of what is counted, at each level, by campaign, its parts and `by`; nothing is left out for being zero. */
async function ask<T extends object>(
  budget: QueryBudget,
  name: string,
  { levels, platform, ...scope }: Scope,
  measures: readonly Measure[],
  { by, ...more }: { readonly by?: string; readonly [param: string]: unknown } = {},
): Promise<(Key & T)[]> {
  const filters: Filter[] = platform === '' ? [] : [{ operator: 'is', dimension: 'platform', values: [platform] }];
  const isWhole = levels.every((level) => level === 'campaign');
  const dimensions = [plain('campaign_id'), ...(by ? [plain(by)] : []), ...(isWhole ? [] : byLevel(levels))];
  const file = `app-report.${name}`;
  const { text, params } = compile(
    { ...APP, dimensions: [...dimensions, plain('platform')] },
    {
      metrics: measures.map((one) => ({ name: one.name, ...count(one) })),
      dimensions: dimensions.map((one) => one.name),
      filters,
      orderBy: [],
      organic: false,
      isRaw: true,
      ofCampaigns: true,
    },
    { place: 'adtrail', currency: scope.currency, name: file },
  );
  const rows = await budget.rows<Record<string, unknown> & Key & T>(
    { name: file, text },
    { ...scope, ...more, ...params },
  );
  return isWhole ? rows.map((row) => ({ ...row, level: 'campaign' })) : rows;
}

const statement = (file: string) => {
  const name = `app-report.${file}`;
  return { name, text: readQuery('clickhouse', name) };
};

/** Days of which the report has the revenue of the cohort. */
export const REVENUE_DAYS = [0, 3, 7, 30] as const;
const RETENTION_DAYS = [1, 7, 14, 30] as const;

/** The metrics of the model that are counted of journeys. */
const METRICS = [
  'installs',
  'reinstalls',
  'reengagements',
  'click_through',
  'view_through',
  'suspicious',
  'signups',
  'uninstalls',
  ...RETENTION_DAYS.flatMap((day) => [`retention_d${day}`, `classic_retention_d${day}`]),
  'rolling_retention_d1',
  'rolling_retention_d7',
];
function measuresOfMetric(name: string): readonly Measure[] {
  const metric = APP.metric(name);
  if (!metric) throw new Error(`The model has no metric ${name}`);
  return listMeasures([metric]);
}

/** The latest name that is any; with the moment from which it is. */
const latest = (name: string, fact: Fact, at: string, value = name) =>
  measure(`${name}d`, fact, `maxIf((${at}, ${value}), ${value} != '')`, { combine: 'max' });

const SINCE = 'fromUnixTimestamp64Milli({active_since:Int64})';
const isActive = `last_event_time >= ${SINCE}`;
const ACTIVE_USERS: Readonly<Record<View, Measure>> = {
  user_acquisition: measure('active_users', lives, `countIf(${isActive})`),
  // An install may have been reinstalled or re-engaged several times.
  retargeting: measure('active_users', lives, `groupUniqArrayIf(root_install, ${isActive})`, {
    combine: 'uniqExactArray',
  }),
};

const COUNTS = [
  ...METRICS.flatMap(measuresOfMetric),
  ...REVENUE_DAYS.map((day) => ofCohort(`ended_d${day}`, day)),
  measure('recent_starts', lives, `countIf(start_time >= ${SINCE})`),
];
const NAMES = ['ad_set_name', 'ad_name', 'keyword_name'];
const NAMES_OF_JOURNEYS = [
  ...NAMES.map((name) => latest(name, lives, 'start_time')),
  latest('ad_type', lives, 'start_time', 'toString(ad_type)'),
];

/** A latest name, behind the moment from which it is. */
type Name = readonly [unknown, string];
export type Count =
  | 'installs'
  | 'reinstalls'
  | 'reengagements'
  | 'click_through'
  | 'view_through'
  | 'suspicious'
  | 'signups'
  | 'uninstalls'
  | 'recent_starts'
  | 'active_users'
  | `ended_d${(typeof REVENUE_DAYS)[number] | (typeof RETENTION_DAYS)[number]}`
  | `${'retention' | 'classic_retention'}_of_d${(typeof RETENTION_DAYS)[number]}`
  | `rolling_retention_of_d${1 | 7}`;
export type Names = Partial<Readonly<Record<'ad_set_named' | 'ad_named' | 'ad_typed' | 'keyword_named', Name>>>;
/** Money is the text of a decimal with up to 27 digits; `unconverted` has the currencies without a rate. */
interface Converted {
  readonly unconverted: readonly string[];
}

/** Installs, touches and retention by the day of the start, the rest by its own; all parts there are, with names. */
export const readCounts = (budget: QueryBudget, scope: Scope) =>
  ask<Record<Count, number> & Names>(budget, 'counts', scope, [
    ...COUNTS,
    ACTIVE_USERS[scope.view],
    ...(scope.levels.length > 1 ? NAMES_OF_JOURNEYS : []),
  ]);

/** Revenue of the journeys that began in the range and whose day N has ended, up to that day. */
const COHORT_REVENUE = REVENUE_DAYS.map((day) =>
  measure(
    `revenue_d${day}`,
    earnings,
    `sumIf(amount, start_day ${IN_RANGE} AND start_day < {today:Date} - ${day} AND event_day <= start_day + ${day})`,
    { isMoney: true },
  ),
);
export const readRevenue = (budget: QueryBudget, scope: Scope) =>
  ask<Record<'revenue' | `revenue_d${(typeof REVENUE_DAYS)[number]}`, string> & { payments: number } & Converted>(
    budget,
    'revenue',
    scope,
    [paid, earned, ...COHORT_REVENUE],
  );
export const readRevenueByType = (budget: QueryBudget, scope: Scope, types: readonly string[]) =>
  ask<{ revenue_type: string; payments: number; revenue: string } & Converted>(
    budget,
    'revenue-by-type',
    scope,
    [paid, earned],
    { by: 'revenue_type', types },
  );

const NAMES_OF_SPEND = NAMES.map((name) => latest(name, spend, '(date, version)'));
const RECENT_NETWORK_CLICKS = measure('recent_clicks', spend, 'sumIf(spent.clicks, date >= {active_from:Date})');
/** By keyword with the rows that name one, which do not add up with the others: they are asked for by themselves. */
export async function readSpend(budget: QueryBudget, scope: Scope) {
  const isKeyword = (level: Level) => level === 'keyword';
  const [keyword, others] = [scope.levels.filter(isKeyword), scope.levels.filter((level) => !isKeyword(level))];
  const asked = await Promise.all(
    [keyword, others]
      .filter((levels) => levels.length > 0)
      .map((levels) =>
        ask<{ spend: string; network_clicks: number; recent_clicks: number } & Names & Converted>(
          budget,
          'spend',
          { ...scope, levels },
          [
            spent,
            networkClicks,
            RECENT_NETWORK_CLICKS,
            ...NAMES_OF_SPEND.filter(({ name }) => levels.some(isKeyword) || name !== 'keyword_named'),
          ],
        ),
      ),
  );
  return asked.flat();
}

const RECENT_CLICKS = measure('recent_clicks', clicks, 'sumIf(click_count, click_day >= {active_from:Date})');
export const readClicks = (budget: QueryBudget, scope: Scope) =>
  ask<{ tracked_clicks: number; recent_clicks: number }>(budget, 'clicks', scope, [trackedClicks, RECENT_CLICKS]);

const TIMES = measure('times', events, 'count()');
const USERS = measure('users', events, 'groupUniqArrayIf(event_user, event_name IN {unique_names:Array(String)})', {
  combine: 'uniqExactArray',
});
export const readEvents = (
  budget: QueryBudget,
  scope: Scope,
  names: { readonly events: readonly string[]; readonly unique_names: readonly string[] },
) =>
  ask<{ event_name: string; times: number; users: number }>(budget, 'events', scope, [TIMES, USERS], {
    by: 'event_name',
    ...names,
  });

const AMOUNT = measure('event_amount', amounts, 'sum(amount)', { isMoney: true });
export const readEventAmounts = (budget: QueryBudget, scope: Scope, names: readonly string[]) =>
  ask<{ event_name: string; event_amount: string } & Converted>(budget, 'event-amounts', scope, [AMOUNT], {
    by: 'event_name',
    events: names,
  });

const namesStatement = statement('names');
const clicksSinceStatement = statement('clicks-since');
/** Which of the names asked for, of events and of revenue types, the project ever received. */
export const readNames = (
  budget: QueryBudget,
  params: { readonly project_id: number; readonly events: readonly string[]; readonly payments: readonly string[] },
) => budget.rows<{ kind: 'event' | 'payment'; name: string }>(namesStatement, params);
/** Tracked clicks of the part of a day with which the window of active users begins, which no day of clicks tells. */
export const readClicksSince = (budget: QueryBudget, scope: Scope) =>
  budget.rows<{ campaign_id: number; clicks: number }>(clicksSinceStatement, { ...scope });
