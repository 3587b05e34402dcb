/** The facts, dimensions and metrics of app campaigns (docs/contract/queries.md). */
import {
  called,
  column,
  count,
  dayColumns,
  hour,
  IN_RANGE,
  measure,
  money,
  moneyPer,
  month,
  OF_PROJECT,
  percent,
  ratio,
  time,
  toTitle,
  type Asked,
  type Columns,
  type ShownDimension,
  type Fact,
  type Labelled,
  type Measure,
  type Model,
  type Relation,
} from './model';

/** Whose events a question counts: of installs, or of those who came back. */
export const VIEWS = ['user_acquisition', 'retargeting'] as const;

/** The last day N that metrics and rows by days since the start go to. */
const MAX_DAY = 90;

const PARTS = ['campaign_id', 'ad_set', 'ad', 'keyword', 'platform'];
const OF_INSTALL = ['country', 'touch_type', 'app', 'rule', 'os_version', 'app_version'];
/** What clicks, and what ad networks count, have as well, but do not tell; networks tell no country and no hour. */
const UNTOLD = ['app', 'os_version', 'app_version'];
const UNTOLD_BY_NETWORKS = [...UNTOLD, 'country', 'hour'];
/** What only a click tells of who made it, by the columns of clicks. */
const OF_CLICK: Columns = { device: 'device_type', os: 'os_name', referrer: 'referrer' };
const DAYS = ['day', 'week', 'month'];
const START_DAYS = ['install_day', 'install_week', 'install_month'];

/** Journeys of the view, or what is in one of their lists, each with the campaign and the install it belongs to. */
function journeys(
  asked: Asked,
  {
    lists,
    where,
    day,
    more = {},
    money,
  }: Pick<Relation, 'where' | 'money'> & {
    readonly lists?: Columns;
    readonly day: string;
    readonly more?: Columns;
  },
): Relation {
  const { table, moved } = asked;
  const joined = Object.entries(lists ?? {}).map(([name, values]) => `${values} AS ${name}`);
  return {
    from: table('journeys') + (joined.length > 0 ? `\nARRAY JOIN\n  ${joined.join(',\n  ')}` : ''),
    where: [OF_PROJECT, 'report_view = {view:String}', ...where],
    columns: {
      campaign_id: 'campaign_id',
      ad_set: 'ad_set_id',
      ad: 'ad_id',
      keyword: 'keyword_id',
      platform: 'platform',
      country: 'country',
      touch_type: 'touch_type',
      app: 'app_id',
      rule: 'rule',
      os_version: 'os_version',
      app_version: 'app_version',
      ...dayColumns(moved, day),
      ...dayColumns(moved, 'start_day', 'install_'),
      ...more,
    },
    names: { at: 'start_time', columns: { ad_set: 'ad_set_name', ad: 'ad_name', keyword: 'keyword_name' } },
    ...(money ? { money } : {}),
  };
}

const STARTED = `start_day ${IN_RANGE}`;

/** Installs, and in the retargeting view reinstalls and re-engagements, by the day on which they began. */
const starts: Fact = {
  name: 'starts',
  columns: [...PARTS, ...OF_INSTALL, ...DAYS, 'hour', ...START_DAYS, 'day_n'],
  relation: (asked) =>
    journeys(asked, {
      // By days since the start each counts on every day that has ended.
      ...(asked.groupsBy('day_n')
        ? { lists: { age: `range(toUInt16(greatest(0, least(${MAX_DAY + 1}, {today:Date} - start_day))))` } }
        : {}),
      where: [STARTED],
      day: 'start_day',
      more: { hour: 'toHour(start_time, {timezone:String})', day_n: 'age' },
    }),
};

/** Journeys, read once for what is counted of their starts, their cohorts and what happened on them. */
export const lives: Fact = {
  name: 'lives',
  columns: [...PARTS, ...OF_INSTALL, ...START_DAYS],
  relation: (asked) => journeys(asked, { where: asked.readsAll ? [] : [MAY_HAVE_HAPPENED], day: 'start_day' }),
};
const ofLives = (aggregate: string) => ({ together: { fact: lives, aggregate } });
/** How many of a kind began in the range. */
const startsIf = (name: string, condition: string) =>
  measure(name, starts, `countIf(${condition})`, ofLives(`countIf(${STARTED} AND ${condition})`));

/** What became of journeys that began in the range: one counts for day N once that day has ended. */
const cohorts: Fact = {
  name: 'cohorts',
  columns: [...PARTS, ...OF_INSTALL, ...DAYS, ...START_DAYS],
  relation: (asked) => journeys(asked, { where: [STARTED], day: 'start_day' }),
};

/**
 * What happened on journeys, a list of theirs, by its own day. By days since the start: what happened on the days that
 * have ended of the journeys that began in the range.
 */
function happenings(
  name: string,
  lists: (asked: Asked) => Columns & { readonly event_day: string },
  where: (asked: Asked) => readonly string[] = (asked) => happenedIn(asked, 'event_day'),
  money?: Relation['money'],
): Fact {
  return {
    name,
    columns: [...PARTS, ...OF_INSTALL, ...DAYS, ...START_DAYS, 'day_n', 'event_name', 'revenue_type'],
    relation: (asked) =>
      journeys(asked, {
        lists: lists(asked),
        where: where(asked),
        day: 'event_day',
        more: { day_n: 'toUInt16(event_day - start_day)', event_name: 'event_name', revenue_type: 'revenue_type' },
        ...(money ? { money } : {}),
      }),
  };
}

/** Which journeys have anything to count: days of other zones begin up to a day earlier. */
const MAY_HAVE_HAPPENED = `(start_day >= {from:Date}
    OR last_event_time >= subtractDays(toDateTime64({from:Date}, 3, 'UTC'), 1))`;

const happenedIn = ({ groupsBy }: Asked, day: string) =>
  groupsBy('day_n')
    ? [STARTED, `${day} - start_day BETWEEN 0 AND ${MAX_DAY}`, `${day} < {today:Date}`]
    : [MAY_HAVE_HAPPENED, `${day} ${IN_RANGE}`];

const signups = happenings('signups', () => ({ event_day: 'signup_days' }));
const uninstalls = happenings('uninstalls', () => ({ event_day: 'uninstall_days' }));
/** Those asked for: by names that are bound one by one, or as a list where rows are by name. */
const named = (asked: Asked) => [
  ...happenedIn(asked, 'event_day'),
  asked.groupsBy('event_name')
    ? 'event_name IN {events:Array(String)}'
    : `event_name IN (${Array.from({ length: asked.events }, (_, i) => `{event_${i + 1}:String}`).join(', ')})`,
];
export const events = happenings(
  'events',
  () => ({ event_day: 'event_days', event_name: 'event_names', event_user: 'event_users' }),
  named,
);
const MONEY = { currency: 'event_currency', day: 'utc_day' };
const MONEY_LISTS = {
  event_day: 'money_days',
  utc_day: 'money_utc_days',
  event_currency: 'money_currencies',
  amount: 'money_amounts',
};
/** Payments less refunds. For all days: those of the range, and the first 30 days of the journeys that began in it. */
export const earnings = happenings(
  'earnings',
  ({ counts, groupsBy }) => ({
    ...(counts('revenue', 'credited_revenue') ? MONEY_LISTS : { event_day: MONEY_LISTS.event_day }),
    ...(counts('payments') ? { is_refund: 'money_refunds' } : {}),
    ...(groupsBy('revenue_type') ? { revenue_type: 'money_types' } : {}),
  }),
  (asked) => [
    ...(asked.readsAll
      ? [`(event_day ${IN_RANGE} OR (${STARTED} AND start_day < {today:Date} AND event_day <= start_day + 30))`]
      : happenedIn(asked, 'event_day')),
    ...(asked.groupsBy('revenue_type') ? ['revenue_type IN {types:Array(String)}'] : []),
  ],
  MONEY,
);
/** Amounts of refunds are negative. */
const refunded = happenings(
  'refunded',
  () => ({ ...MONEY_LISTS, is_refund: 'money_refunds' }),
  (asked) => [...happenedIn(asked, 'event_day'), 'is_refund'],
  MONEY,
);
export const amounts = happenings(
  'amounts',
  () => ({
    event_day: 'priced_days',
    utc_day: 'priced_utc_days',
    event_name: 'priced_names',
    event_currency: 'priced_currencies',
    amount: 'priced_amounts',
  }),
  named,
  MONEY,
);

/** Installs that had an event of any type: once each, unless rows are by the days of the events. */
const activity: Fact = {
  ...signups,
  name: 'activity',
  relation: (asked) =>
    asked.groupsBy(...DAYS, 'day_n')
      ? happenings('', () => ({ event_day: 'seen_dates' })).relation(asked)
      : journeys(asked, {
          where: [MAY_HAVE_HAPPENED, `arrayExists(seen_day -> seen_day ${IN_RANGE}, seen_dates)`],
          day: 'start_day',
        }),
};

/** Revenue up to the greatest day asked for of the journeys that began in the range and whose day that is has ended. */
const cohortRevenue: Fact = {
  ...cohorts,
  name: 'cohort_revenue',
  relation: (asked) =>
    journeys(asked, {
      lists: MONEY_LISTS,
      where: [STARTED, 'start_day < {today:Date} - {cohort_day:UInt8}', 'event_day <= start_day + {cohort_day:UInt8}'],
      day: 'start_day',
      money: MONEY,
    }),
};

const areThemselves = ({ uses, groupsBy }: Pick<Asked, 'uses' | 'groupsBy'>) =>
  uses('country', ...Object.keys(OF_CLICK)) || groupsBy('hour');

/**
 * Tracked clicks, by day; by hour, country and what else tells who clicked those themselves, of which the derived table
 * knows nothing. Which campaigns count them is known of the campaigns.
 */
export const clicks: Fact = {
  name: 'clicks',
  columns: [...PARTS, 'country', ...Object.keys(OF_CLICK), ...DAYS, 'hour'],
  untold: UNTOLD,
  relation: ({ table, uses, groupsBy, moved, readsAll }) => {
    const parts = { campaign_id: 'campaign_id', ad_set: 'ad_set_id', ad: 'ad_id', keyword: 'keyword_id' };
    const day = 'toDate(click_time, {timezone:String})';
    if (areThemselves({ uses, groupsBy }))
      return {
        from: table('tracked_clicks'),
        where: [OF_PROJECT, `${day} ${IN_RANGE}`],
        columns: {
          ...parts,
          platform: 'platform',
          country: 'country',
          ...OF_CLICK,
          ...dayColumns(moved, day),
          hour: 'toHour(click_time, {timezone:String})',
        },
      };
    const lists = ['days AS click_day', 'clicks AS click_count'];
    for (const part of ['ad_set_id', 'ad_id', 'keyword_id', 'platform'])
      if (uses(part.replace('_id', ''))) lists.push(`${part}s AS ${part}`);
    return {
      from: `${table('daily_clicks')}\nARRAY JOIN\n  ${lists.join(',\n  ')}`,
      where: [OF_PROJECT, ...(readsAll ? [] : [`click_day ${IN_RANGE}`])],
      columns: { ...parts, platform: 'platform', ...dayColumns(moved, 'click_day') },
    };
  },
};

/**
 * What ad networks counted, and what was spent. By platform: the rows of each, and those that name none; by keyword the
 * rows that name one, which do not add up with the others.
 */
function spending(name: string, where: readonly string[] = []): Fact {
  return {
    name,
    columns: [...PARTS, ...DAYS],
    untold: UNTOLD_BY_NETWORKS,
    relation: ({ table, uses, moved, readsAll }) => {
      const byKeyword = uses('keyword');
      const rows = byKeyword
        ? "keyword_id != ''"
        : uses('platform')
          ? 'spent.platform = spent.scope'
          : "spent.scope = ''";
      return {
        from: table(byKeyword ? 'ad_spend' : 'counted_spend'),
        where: [OF_PROJECT, ...(readsAll ? [] : [`date ${IN_RANGE}`]), rows, ...where],
        columns: {
          campaign_id: 'campaign_id',
          ad_set: 'ad_set_id',
          ad: 'ad_id',
          keyword: 'keyword_id',
          platform: 'spent.platform',
          ...dayColumns(moved, 'date'),
        },
        names: {
          at: "toDateTime64(date, 3, 'UTC')",
          columns: { ad_set: 'ad_set_name', ad: 'ad_name', keyword: byKeyword ? 'keyword_name' : "''" },
        },
        // What is not of the range is no money that may lack a rate.
        money: {
          currency: readsAll ? `if(date ${IN_RANGE}, spent.currency, {currency:String})` : 'spent.currency',
          day: 'date',
        },
      };
    },
  };
}
export const spend = spending('spend');
/** On the days whose installs are of the cohort. */
const cohortSpend = spending('cohort_spend', ['date < {today:Date} - {cohort_day:UInt8}']);

/** An aggregate with an end for conditions, as `sum`: of the range, where rows beyond it are read as well. */
const inRange =
  (aggregate: 'count' | 'sum', of: string, day: string, condition = '') =>
  ({ readsAll }: Asked): string => {
    const conditions = [condition, readsAll ? `${day} ${IN_RANGE}` : ''].filter((one) => one !== '').join(' AND ');
    return conditions === '' ? `${aggregate}(${of})` : `${aggregate}If(${of === '' ? '' : `${of}, `}${conditions})`;
  };
const happened = (list: string, condition = '') => {
  const times = `arrayCount(one -> one ${IN_RANGE}, ${list})`;
  return ofLives(condition === '' ? `sum(${times})` : `sumIf(${times}, ${condition})`);
};
/** Organic rows have campaign 0: what is spent is set against what campaigns are credited with. */
const CREDITED = 'campaign_id != 0';

const began = measure('starts', starts, 'count()', ofLives(`countIf(${STARTED})`));
const creditedStarts = startsIf('credited_starts', CREDITED);
const signedUp = measure('signups', signups, 'count()', happened('signup_days'));
const creditedSignups = measure('credited_signups', signups, `countIf(${CREDITED})`, happened('signup_days', CREDITED));
export const paid = measure('payments', earnings, inRange('count', '', 'event_day', 'NOT is_refund'));
export const earned = measure('revenue', earnings, inRange('sum', 'amount', 'event_day'), { isMoney: true });
const creditedRevenue = measure('credited_revenue', earnings, inRange('sum', 'amount', 'event_day', CREDITED), {
  isMoney: true,
});
export const spent = measure('spend', spend, inRange('sum', 'spent.spend', 'date'), { isMoney: true });

export const trackedClicks = measure('tracked_clicks', clicks, (asked) =>
  areThemselves(asked) ? 'count()' : inRange('sum', 'click_count', 'click_day')(asked),
);
export const networkClicks = measure('network_clicks', spend, inRange('sum', 'spent.clicks', 'date'));
/** Whether clicks that an ad network counted cannot be told apart as it is asked. */
const hidesClicks = ({ counts, uses }: Asked) => counts('clicks') && uses('country', 'hour', ...Object.keys(OF_CLICK));
const HIDES_ANY = '(SELECT max(hides_clicks) FROM campaigns)';

/** The clicks that the ad network counts, for campaigns where it does; for all others the tracked ones. */
const clicked: Measure = {
  name: 'clicks',
  parts: [...trackedClicks.parts, ...networkClicks.parts.map((part) => ({ ...part, isOptional: true }))],
  sum: (columns) =>
    columns
      .map((column) =>
        column === 'tracked_clicks'
          ? 'sumIf(facts.tracked_clicks, campaigns.has_own_clicks)'
          : 'sumIf(facts.network_clicks, NOT campaigns.has_own_clicks)',
      )
      .join('\n  + '),
  lacks: (asked) =>
    hidesClicks(asked)
      ? {
          group:
            asked.ofCampaign.length === 0
              ? HIDES_ANY
              : `(${asked.ofCampaign.map((name) => `sums.${name}`).join(', ')}) IN (
    SELECT ${asked.ofCampaign.join(', ')} FROM campaigns WHERE hides_clicks)`,
          any: HIDES_ANY,
        }
      : undefined,
};

/** Metrics with a fixed name. In the retargeting view what is per install is per reinstall and re-engagement. */
const METRICS: Readonly<Record<string, Labelled>> = {
  clicks: called(
    'Clicks',
    count(clicked),
    'Tracked clicks, or those that the ad network counted for its own campaigns',
  ),
  impressions: called(
    'Impressions',
    count(measure('impressions', spend, 'sum(spent.impressions)')),
    'As the ad network counted them',
  ),
  installs: called('Installs', count(startsIf('installs', "kind = 'install'"))),
  reinstalls: called('Reinstalls', count(startsIf('reinstalls', "kind = 'reinstall'"))),
  reengagements: called('Re-engagements', count(startsIf('reengagements', "kind = 'reengagement'"))),
  click_through: called(
    'Click-through',
    count(startsIf('click_through', "touch_type = 'click'")),
    'Installs that are credited to a click',
  ),
  view_through: called(
    'View-through',
    count(startsIf('view_through', "touch_type IN ('impression', 'ctv_impression')")),
    'Installs that are credited to an impression',
  ),
  suspicious: called('Suspicious', count(startsIf('suspicious', 'suspicious')), 'Installs with a sign of fraud'),
  signups: called('Sign-ups', count(signedUp)),
  uninstalls: called('Uninstalls', count(measure('uninstalls', uninstalls, 'count()', happened('uninstall_days')))),
  payments: called('Payments', count(paid)),
  refunds: called('Refunds', count(measure('refunds', refunded, 'count()'))),
  refund_amount: called(
    'Refunded',
    money(measure('refund_amount', refunded, 'sum(-amount)', { isMoney: true })),
    'What was paid back',
  ),
  active_users: called(
    'Active users',
    count(measure('active_users', activity, 'uniqExact(root_install)', { isDistinct: true })),
    'Distinct installs with any event',
  ),
  revenue: called('Revenue', money(earned), 'Payments less refunds'),
  spend: called('Spend', money(spent), 'As the ad networks reported it'),
  arpu: called('ARPU', moneyPer(earned, began), 'Revenue per install'),
  cpi: called('CPI', moneyPer(spent, creditedStarts), 'Spend per install of a campaign'),
  cpa: called('CPA', moneyPer(spent, creditedSignups), 'Spend per sign-up of a campaign'),
  roas: called('ROAS', ratio(creditedRevenue, spent), 'Revenue that campaigns are credited with, per spend'),
  profit: called(
    'Profit',
    money(creditedRevenue, { less: spent }),
    'Revenue that campaigns are credited with, less spend',
  ),
  blended_cpi: called('Blended CPI', moneyPer(spent, began), 'Spend per install, organic ones too'),
  blended_roas: called('Blended ROAS', ratio(earned, spent), 'All revenue per spend'),
  conversion: called('Conversion', percent(signedUp, began), 'Sign-ups per install'),
};

const RETENTIONS: Readonly<Record<string, string>> = {
  retention: 'Active by day ',
  classic_retention: 'Retention D',
  rolling_retention: 'Rolling retention D',
};

/** The bits of active_days that are of days 1 to N. */
const bitsUpTo = (n: number) => (2 ** (n + 1) - 2).toString();
/** Who came back: on any day up to the Nth, on it, on it or later. Days up to the 30th are bits. */
const CAME_BACK: Readonly<Record<string, (day: number) => string>> = {
  retention: (n) =>
    n <= 30
      ? `bitAnd(active_days, ${bitsUpTo(n)}) != 0`
      : `arrayExists(one -> one > start_day AND one <= start_day + ${n}, active_dates)`,
  classic_retention: (n) => (n <= 30 ? `bitTest(active_days, ${n})` : `has(active_dates, start_day + ${n})`),
  rolling_retention: (n) => `last_active_day >= ${n}`,
};

/** The greatest day N of what shares a cohort, as statements know it. */
const GREATEST_DAY = '{cohort_day:UInt8}';

/** Those of the cohort whose day N has ended, or of them those with something more. */
export const ofCohort = (name: string, day: number | typeof GREATEST_DAY, condition = '') => {
  const ended = `start_day < {today:Date} - ${day}${condition && `\n  AND ${condition}`}`;
  return measure(name, cohorts, `countIf(${ended})`, ofLives(`countIf(${STARTED} AND ${ended})`));
};

/** Metrics with a day N in their names. */
function byDay(name: string): Labelled | undefined {
  const [, kind = '', text = ''] = /^([a-z_]+)_d(0|[1-9]\d?)$/.exec(name) ?? [];
  const day = Number(text);
  if (day > MAX_DAY) return undefined;
  const cameBack = Object.hasOwn(CAME_BACK, kind) ? CAME_BACK[kind] : undefined;
  if (cameBack && day >= 1) {
    const came = ofCohort(`${kind}_of_d${day}`, day, cameBack(day));
    return called(`${RETENTIONS[kind]}${day}`, percent(came, ofCohort(`ended_d${day}`, day), { day }));
  }
  if (kind === 'conversion') {
    const signed = ofCohort(`signed_up_by_d${day}`, day, `arrayExists(one -> one <= start_day + ${day}, signup_days)`);
    return called(
      `Conversion D${day}`,
      percent(signed, ofCohort(`ended_d${day}`, day), { day }),
      `Installs with a sign-up by day ${day}, of those that are old enough`,
    );
  }
  if (kind === 'mature')
    return called(
      `Mature D${day}`,
      percent(ofCohort(`ended_d${day}`, day), began, { day }),
      `The share of installs whose day ${day} has ended`,
    );
  if (kind !== 'ltv' && kind !== 'roas') return undefined;
  const isUpTo = `event_day <= start_day + ${day}`;
  const upTo = (name: string, condition: string) =>
    measure(`${name}_d${day}`, cohortRevenue, `sumIf(amount, ${condition})`, { isMoney: true });
  const cohort = { day, sharesCohort: true };
  if (kind === 'roas')
    return called(
      `ROAS D${day}`,
      ratio(
        upTo('credited_revenue', `${CREDITED} AND ${isUpTo}`),
        measure('cohort_spend', cohortSpend, 'sum(spent.spend)', { isMoney: true }),
        cohort,
      ),
      `Revenue that campaigns are credited with up to day ${day}, per spend`,
    );
  return called(
    `LTV D${day}`,
    moneyPer(upTo('revenue', isUpTo), ofCohort('cohort', GREATEST_DAY), cohort),
    `Revenue per install up to day ${day}`,
  );
}

/** Metrics of the events of one name. */
function byEvent(name: string): Labelled | undefined {
  const [, kind = '', event = ''] = /^(event|event_users|event_amount):(.+)$/s.exec(name) ?? [];
  const isIt = 'event_name = {event:String}';
  if (kind === 'event') return called(event, count(measure('event', events, `countIf(${isIt})`, { event })));
  if (kind === 'event_users') {
    const users = `uniqExactIf(event_user, ${isIt} AND event_user != 0)`;
    return called(`${event} users`, count(measure('event_users', events, users, { event, isDistinct: true })));
  }
  if (kind === 'event_amount')
    return called(
      `${event} amount`,
      money(measure('event_amount', amounts, `sumIf(amount, ${isIt})`, { event, isMoney: true })),
    );
  return undefined;
}

const ofCampaign = (name: string, more: Partial<ShownDimension> = {}): ShownDimension => ({
  name,
  title: toTitle(name),
  format: 'text',
  columns: [],
  value: `campaigns.${name}`,
  ofCampaign: true,
  ...more,
});

/** What codes are called: a partner's by the partner's name. */
const CODE_NAMES = [
  ['network', "if(known.network != '', network, partner_name)"],
  ['channel', "multiIf(custom_channel != '', custom_channel, known.network != '', network, partner_name)"],
] as const;
const askedNames = ({ ofCampaign }: Asked) => CODE_NAMES.filter(([code]) => ofCampaign.includes(code));
const codeNames = (asked: Asked) =>
  askedNames(asked)
    .map(([code, name]) => `,\n    ${name} AS ${code}_name`)
    .join('');

const organicRow = (asked: Asked) => `
  UNION ALL
  SELECT 0, 'organic', 'Organic', '', '', '', 1${askedNames(asked)
    .map(() => ", ''")
    .join('')}${hidesClicks(asked) ? ', 0' : ''}`;

/** Whether a campaign that passes the filters has clicks in the range that its ad network counted. */
function hidden(asked: Asked): string {
  const { table, passes } = asked;
  if (!hidesClicks(asked)) return '';
  return `,
    NOT has_own_clicks AND campaign_id IN (
      SELECT campaign_id FROM ${table('counted_spend')}
      WHERE ${OF_PROJECT} AND date ${IN_RANGE}
        AND spent.scope = '' AND spent.clicks > 0
    )${['campaign', 'campaign_name', 'network', 'partner', 'channel']
      .flatMap((name) => passes(name, name))
      .map((condition) => `\n    AND ${condition}`)
      .join('')} AS hides_clicks`;
}

/**
 * One row per campaign, deleted ones too, and one for what no campaign is credited with. The network of a campaign is
 * its code in lower case, of a partner's campaign the partner's; its channel is its custom channel, else the network.
 * Clicks of an ad network's own campaigns are the network's to count.
 */
const campaigns = (asked: Asked) => `campaigns AS (
  SELECT
    campaign_id, display_id AS campaign, name AS campaign_name, partner_name AS partner,
    if(known.network != '', lower(known.network), lower(replaceAll(partner_name, ' ', '_'))) AS network,
    if(custom_channel != '', custom_channel, network) AS channel,
    known.network = '' OR network_campaign_id = '' OR web_to_app AS has_own_clicks${codeNames(asked)}${hidden(asked)}
  FROM ${asked.table('campaigns')}
  WHERE ${OF_PROJECT}${asked.organic ? organicRow(asked) : ''}
)`;

export const APP: Model = {
  steps: (asked) => (asked.needsCampaigns ? [campaigns(asked)] : []),
  dimensions: [
    ofCampaign('campaign_name', { isFilter: true, namesSource: 'campaign' }),
    ofCampaign('campaign', { label: 'campaigns.campaign_name' }),
    ofCampaign('network', { label: 'campaigns.network_name' }),
    ofCampaign('partner'),
    ofCampaign('channel', { label: 'campaigns.channel_name' }),
    column('ad_set', { named: 'ad_set_named' }),
    column('ad', { named: 'ad_named' }),
    column('keyword', { named: 'keyword_named' }),
    column('platform'),
    ...OF_INSTALL.map((name) => column(name)),
    ...Object.keys(OF_CLICK).map((name) => column(name)),
    time('day'),
    time('week'),
    month('month'),
    hour(),
    time('install_day'),
    time('install_week'),
    month('install_month'),
    time('day_n', { isNumber: true, format: 'number' }),
  ],
  metricNames: [
    ...Object.keys(METRICS),
    'retention_dN, classic_retention_dN, rolling_retention_dN (N 1 to 90)',
    'conversion_dN, mature_dN, ltv_dN, roas_dN (N 0 to 90)',
    'event:<name>, event_users:<name>, event_amount:<name>',
  ],
  documented: [
    ...Object.keys(METRICS),
    ...[...Object.keys(CAME_BACK), 'conversion', 'mature', 'ltv', 'roas'].map((kind) => `${kind}_dN`),
    ...['event', 'event_users', 'event_amount'].map((kind) => `${kind}:<name>`),
  ],
  metric: (name) => {
    const fixed = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
    const definition = fixed ?? byDay(name) ?? byEvent(name);
    return definition && { name, ...definition };
  },
};
