/** The facts, dimensions and metrics of web visits (docs/contract/queries.md). */
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
  type Asked,
  type Columns,
  type Fact,
  type Labelled,
  type Model,
} from './model';

const OF_CAMPAIGN = ['campaign', 'campaign_name', 'channel', 'network_campaign', 'ad_set', 'ad'];
export const OF_TOUCH = [...OF_CAMPAIGN, 'source', 'medium'];
/** What else of touches the web report filters by. */
export const UTM = ['utm_source', 'utm_campaign', 'utm_id', 'utm_content', 'utm_term'];
const DAYS = ['day', 'week', 'month'];

/** What is known of a hit and its session, by the list that it stands in. */
const OF_HITS: Readonly<Record<string, string>> = {
  referrer: 'hit_referrers',
  landing_page: 'hit_landing_pages',
  exit_page: 'hit_exit_pages',
  page: 'hit_pages',
  country: '`hit.country`',
  device: '`hit.device_type`',
  browser: '`hit.browser_name`',
  os: '`hit.os_name`',
};

/** What is counted of hits. */
const COUNTED_LISTS = ['session', 'kind', 'name', 'revenue', 'session_ms', 'bounced'].map((name) => `\`hit.${name}\``);

/** Whether rows are grouped or filtered by something of the touches that a visit may be credited to. */
const usesTouches = ({ uses, hasPauses }: Pick<Asked, 'uses' | 'hasPauses'>) => hasPauses || uses(...OF_TOUCH);

/** What something credited to `touch` is counted for: the place in `credited` of what the touch says, or 0. */
function choosePlace(asked: Asked, filters: readonly string[]): string {
  const place = usesTouches(asked) ? 'transform(touch, touch_list, place_list, toUInt64(0))' : 'toUInt64(1)';
  const paused = asked.hasPauses
    ? [
        `NOT arrayExists(
          (begins_at, ends_at) -> pause_time >= begins_at AND pause_time < ends_at,
          {pause_begins:Array(Array(UInt64))}[transform(touch, paused_touches, paused_places, toUInt64(0))],
          {pause_ends:Array(Array(UInt64))}[transform(touch, paused_touches, paused_places, toUInt64(0))])`,
      ]
    : [];
  return `if(
        ${[`own_day ${IN_RANGE}`, ...filters, ...paused].join('\n          AND ')},
        ${place},
        0)`;
}

/**
 * The touches that the items of a list of a visitor are credited to, and their places: 0 for those of other days than
 * asked for, and for those that do not pass the filters on what else is given of them.
 */
export function creditedPlaces(
  asked: Asked,
  list: string,
  { given: more = [], filters = [] }: { readonly given?: readonly string[]; readonly filters?: readonly string[] } = {},
): string[] {
  const given = [
    'own_day',
    ...more,
    ...(usesTouches(asked) ? ['touch'] : []),
    ...(asked.hasPauses ? ['pause_time'] : []),
  ];
  const from = (name: string) =>
    name === 'touch' ? 'touches' : name === 'pause_time' ? `\`${list}.pause_time\`` : `${name}s`;
  return [
    ...(usesTouches(asked) ? [`\`${list}.${asked.isFirstTouch ? 'first' : 'last'}_touch\` AS touches`] : []),
    `arrayMap(
      (${given.join(', ')}) -> ${choosePlace(asked, filters)},
      ${given.map(from).join(', ')}) AS places`,
  ];
}

/**
 * Hits, each with the touch that it is credited to. Within one visitor arrayEnumerateUniq tells the first hit of each
 * group, and of each session in a group, so that visitors only have to be counted: exact, and without a set of them. A
 * session counts, with its whole length, in each group that any of it belongs to.
 */
const visits: Fact = {
  name: 'visits',
  columns: [...OF_TOUCH, ...Object.keys(OF_HITS), ...DAYS, 'hour'],
  filtersItself: true,
  relation: (asked) => {
    const { table, uses, groupsBy, counts, moved } = asked;
    const listColumn = (name: string) => {
      // Pages are gone once they were blanked.
      const list = OF_HITS[name] as string;
      return list.startsWith('hit_') ? `arrayResize(${list}, length(\`hit.time\`))` : list;
    };
    const hitColumns = Object.keys(OF_HITS).filter((name) => uses(name));
    const days = dayColumns(moved, 'own_day');
    const times = [...DAYS, 'hour'].filter((name) => groupsBy(name));
    const lists: [name: string, list: string][] = [
      ['own_day', 'arrayMap(hit_time -> toDate(hit_time, {timezone:String}), `hit.time`)'],
      ...(groupsBy('hour')
        ? [['own_hour', 'arrayMap(hit_time -> toHour(hit_time, {timezone:String}), `hit.time`)'] as [string, string]]
        : []),
      ...hitColumns.map((name): [string, string] => [name, listColumn(name)]),
    ];
    const groups = [
      'places',
      ...times.map((name) => (name === 'hour' ? 'own_hours' : `arrayMap(own_day -> ${days[name]}, own_days)`)),
      ...hitColumns.filter((name) => groupsBy(name)).map((name) => `${name}s`),
    ].join(', ');
    const joined = [
      'places AS place',
      ...(times.length > 0 ? ['own_days AS own_day'] : []),
      ...(groupsBy('hour') ? ['own_hours AS own_hour'] : []),
      ...hitColumns.filter((name) => groupsBy(name)).map((name) => `${name}s AS own_${name}`),
      ...(counts('visitors') ? [`arrayEnumerateUniq(${groups}) AS nth_of_visitor`] : []),
      ...(counts('sessions', 'bounces', 'milliseconds')
        ? [`arrayEnumerateUniq(${groups}, \`hit.session\`) AS nth_of_session`]
        : []),
      ...(counts('signup_visitors')
        ? [`arrayEnumerateUniq(${groups}, arrayMap(kind -> kind = 2, \`hit.kind\`)) AS nth_signup`]
        : []),
      ...(counts('page_views', 'signups', 'signup_visitors', 'purchases') ? ['`hit.kind` AS kind'] : []),
      ...(counts('event') ? ['`hit.name` AS event_name'] : []),
      ...(counts('revenue') ? ['`hit.revenue` AS amount'] : []),
      ...(counts('milliseconds') ? ['`hit.session_ms` AS session_ms'] : []),
      ...(counts('bounces') ? ['`hit.bounced` AS bounced'] : []),
    ];
    const inner = [
      ...lists.map(([name, list]) => `${list} AS ${name}s`),
      ...creditedPlaces(asked, 'hit', {
        given: Object.keys(OF_HITS).filter((name) => asked.passes(name, name).length > 0),
        filters: Object.keys(OF_HITS).flatMap((name) => asked.passes(name, name)),
      }),
      ...COUNTED_LISTS.filter((list) => joined.some((text) => text.includes(list))),
    ];
    return {
      from: `(
  SELECT
    ${inner.join(',\n    ')}
  FROM ${table('web_visitors')}
  -- Days of other time zones end up to a day earlier or later; the first and the last Date have none beside them.
  WHERE ${OF_PROJECT}
    AND last_day >= toDate32({from:Date}) - 1 AND first_day <= toDate32({to:Date}) + 1
) AS visitors
ARRAY JOIN
  ${joined.join(',\n  ')}`,
      where: ['place != 0'],
      columns: {
        ...Object.fromEntries(OF_TOUCH.map((name) => [name, `credited.${name}[place]`])),
        ...Object.fromEntries(Object.keys(OF_HITS).map((name) => [name, `own_${name}`])),
        ...days,
        hour: 'own_hour',
      },
      followsFrom: Object.fromEntries(OF_TOUCH.map((name) => [name, 'place'])),
    };
  },
};

/** The IDs that pass, of those under which a campaign was visited or else of the one that it has at its network. */
function shownIds(conditions: readonly string[]): string {
  const ids = 'if(empty(visited.ids), [own.network_campaign_id], visited.ids)';
  return conditions.length === 0 ? ids : `arrayFilter(id -> ${conditions.join(' AND ')}, ${ids})`;
}

/**
 * What was spent with ad networks, under the campaign IDs under which visits of a campaign are shown: those by which it
 * was visited, or else its ID at the network; by anything but campaigns each is there once. Channels are meta and
 * google; of other networks it is not known as which they are visited.
 */
const spend: Fact = {
  name: 'spend',
  columns: [...OF_CAMPAIGN, ...DAYS],
  untold: ['source', 'medium', ...Object.keys(OF_HITS), 'hour'],
  filtersItself: true,
  relation: ({ table, groupsBy, passes, moved }) => ({
    from: `(
  SELECT
    spent.date AS date, spent.spend AS amount, toString(spent.currency) AS currency, spent.ad_set_id AS ad_set_id,
    spent.ad_id AS ad_id, spent.ad_set_name AS ad_set_name, spent.ad_name AS ad_name,
    if(spent.network IN ('META', 'GOOGLE'), lower(toString(spent.network)), '') AS channel,
    own.network_campaign_id AS network_campaign_id, own.name AS own_name,
    ${shownIds(passes('campaign', 'id'))} AS shown
  FROM (
    SELECT campaign_id, date, network, ad_set_id, ad_id, ad_set_name, ad_name, spend, currency
    FROM ${table('counted_spend')}
    WHERE ${OF_PROJECT} AND date ${IN_RANGE}
      AND scope = '' AND network != ''
  ) AS spent
  INNER JOIN (
    SELECT campaign_id, name, network_campaign_id FROM ${table('campaigns')} WHERE ${OF_PROJECT}
  ) AS own ON spent.campaign_id = own.campaign_id
  LEFT JOIN (
    SELECT campaign_id, groupUniqArray(touches.campaign) AS ids
    FROM touches
    WHERE campaign_id != 0
    GROUP BY campaign_id
  ) AS visited ON spent.campaign_id = visited.campaign_id
) AS spent
ARRAY JOIN ${groupsBy('campaign') ? 'shown' : 'arraySlice(shown, 1, 1)'} AS shown_id`,
    where: [
      ...passes('campaign_name', "if(own_name != '', own_name, shown_id)"),
      ...passes('channel', 'spent.channel'),
      ...passes('network_campaign', 'network_campaign_id'),
      ...passes('ad_set', 'ad_set_id'),
      ...passes('ad', 'ad_id'),
    ],
    columns: {
      campaign: 'shown_id',
      campaign_name: "if(own_name != '', own_name, shown_id)",
      channel: 'spent.channel',
      network_campaign: 'network_campaign_id',
      ad_set: 'ad_set_id',
      ad: 'ad_id',
      ...dayColumns(moved, 'date'),
    },
    names: { at: "toDateTime64(date, 3, 'UTC')", columns: { ad_set: 'ad_set_name', ad: 'ad_name' } },
    money: { currency: 'spent.currency', day: 'date' },
  }),
};

const visitors = measure('visitors', visits, 'countIf(nth_of_visitor = 1)');
const sessions = measure('sessions', visits, 'countIf(nth_of_session = 1)');
const signups = measure('signups', visits, 'countIf(kind = 2)');
const revenue = measure('revenue', visits, 'sum(amount)');
const spent = measure('spend', spend, 'sum(amount)', { isMoney: true });

const METRICS: Readonly<Record<string, Labelled>> = {
  visitors: called('Visitors', count(visitors)),
  sessions: called('Sessions', count(sessions)),
  page_views: called('Page views', count(measure('page_views', visits, 'countIf(kind = 1)'))),
  bounce_rate: called(
    'Bounce rate',
    percent(measure('bounces', visits, 'countIf(nth_of_session = 1 AND bounced)'), sessions),
    'Sessions with a single event',
  ),
  session_seconds: called(
    'Session length',
    ratio(measure('milliseconds', visits, 'sumIf(session_ms, nth_of_session = 1)'), sessions, {
      scale: ' / 1000',
      format: 'seconds',
    }),
  ),
  signups: called('Sign-ups', count(signups)),
  purchases: called('Purchases', count(measure('purchases', visits, 'countIf(kind = 3)'))),
  revenue: called('Revenue', money(revenue), 'Of purchases'),
  conversion: called(
    'Conversion',
    percent(measure('signup_visitors', visits, 'countIf(nth_signup = 1 AND kind = 2)'), visitors),
    'Visitors with a sign-up per visitors',
  ),
  spend: called('Spend', money(spent), 'As the ad networks reported it'),
  cpa: called('CPA', moneyPer(spent, signups), 'Spend per sign-up'),
  // As the web report has it.
  roas: called('ROAS', ratio(revenue, spent, { decimals: 4 }), 'Revenue per spend'),
};

const EVENT = 'event:';

/**
 * One row per key of a campaign of the project: its display ID, its ID at the ad network, or a utm_id that means it. Of
 * several campaigns with one key, the one whose key comes first in this order counts, then the oldest. merged_id is the
 * ID under which touches of a Meta campaign are shown, whatever their key.
 */
const campaignKeys = ({ table, counts }: Asked) => `campaign_keys AS (
  SELECT
    key,
    argMin(known.campaign_id, (place, known.campaign_id) AS precedence) AS campaign_id,
    argMin(known.name, precedence) AS name,${
      counts('campaign_id') ? '\n    argMin(known.network, precedence) AS network,' : ''
    }
    argMin(if(known.network = 'META', known.network_campaign_id, ''), precedence) AS merged_id
  FROM (
    SELECT
      campaign_id, name, network, network_campaign_id,
      arrayConcat([display_id, network_campaign_id], utm_ids) AS keys
    FROM ${table('campaigns')}
    WHERE ${OF_PROJECT} AND NOT deleted
  ) AS known
  ARRAY JOIN keys AS key, arrayEnumerate(keys) AS place
  WHERE key != ''
  GROUP BY key
)`;

/** Whether it matters what campaigns touches mean. */
const meansCampaigns = ({ uses, counts, hasPauses }: Asked) =>
  hasPauses || uses('campaign', 'campaign_name') || counts('spend', 'campaign_id');

/** One row per touch that passes the filters, direct visits as touch 0: what it says, and what campaign it means. */
function touches(asked: Asked): string {
  const { table, passes, uses, counts } = asked;
  const utm = UTM.filter((name) => uses(name));
  const campaign = `campaign_keys.campaign_id AS campaign_id,${counts('merged') ? ' said.key AS key,' : ''}
      if(campaign_keys.merged_id != '', campaign_keys.merged_id, said.key) AS campaign,
      if(campaign_keys.name != '', campaign_keys.name, campaign) AS campaign_name,
      `;
  return `touches AS (
  SELECT *
  FROM (
    SELECT
      touch, ${meansCampaigns(asked) ? campaign : ''}channel, source, medium, network_campaign, ad_set, ad${more(utm)}
    FROM (
      SELECT
        touch, if(utm_id != '', utm_id, utm_campaign) AS key, toString(channel) AS channel, toString(source) AS source,
        utm_medium AS medium, network_campaign_id AS network_campaign, ad_set_id AS ad_set, ad_id AS ad${more(utm)}
      FROM ${table('web_touches')}
      WHERE ${OF_PROJECT}
      UNION ALL
      SELECT 0, '', 'direct', '', '', '', '', ''${more(utm.map(() => "''"))}
    ) AS said${meansCampaigns(asked) ? '\n    LEFT JOIN campaign_keys ON said.key = campaign_keys.key' : ''}
  )${[...OF_TOUCH, ...UTM]
    .flatMap((name) => passes(name, name))
    .map((condition, i) => `\n  ${i === 0 ? 'WHERE' : '  AND'} ${condition}`)
    .join('')}
)`;
}
const more = (columns: readonly string[]) => columns.map((column) => `, ${column}`).join('');

/**
 * Whether campaigns say from which source they have most visitors, and by how many keys they were visited: then places
 * are finer than rows. A place is the lower half of a number, the campaign is the upper one.
 */
export const tellsSourcesApart = ({ counts }: Asked) => counts('main_source');

/**
 * What visits are grouped by of the touches that they are credited to: a place in `credited` for each group, and the
 * touches of all of them with their places. The last one of a list matches nothing: transform() takes no empty list.
 */
function places(asked: Asked): string[] {
  // What a campaign is called tells no campaigns apart.
  const isFiner = tellsSourcesApart(asked);
  const grouped = [
    ...OF_TOUCH.filter((name) => name !== 'campaign_name' && asked.groupsBy(name)),
    ...(isFiner ? ['source', 'key'] : []),
  ];
  const named = asked.groupsBy('campaign_name') ? ['any(campaign_name) AS campaign_name'] : [];
  const lists = [...grouped, ...named.map(() => 'campaign_name')];
  const types = [...lists.map((name) => `${name} Array(String)`), 'touches Array(Array(UInt64))'];
  return [
    `(
  SELECT tuple(${[...lists.map((name) => `groupArray(${name})`), 'groupArray(all_touches)'].join(', ')})
  FROM (
    SELECT ${[...grouped, ...named, 'groupArray(toUInt64(touch)) AS all_touches'].join(', ')}
    FROM touches${grouped.length > 0 ? `\n    GROUP BY ${grouped.join(', ')}` : ''}
  )
) AS credited_lists`,
    `CAST(
  credited_lists,
  'Tuple(${types.join(', ')})'
) AS credited`,
    'arrayPushBack(arrayFlatten(credited.touches), 18446744073709551615) AS touch_list',
    ...(isFiner
      ? [
          numbers('place_list', 'bitShiftLeft(toUInt64(campaign), 32) + place', {
            place: 'arrayEnumerate(credited.touches)',
            campaign: 'arrayEnumerateDense(credited.campaign)',
          }),
          numbers('source_list', 'toUInt64(source)', {
            source: 'arrayEnumerateDense(credited.campaign, credited.source)',
          }),
        ]
      : [numbers('place_list', 'toUInt64(place)', { place: 'arrayEnumerate(credited.touches)' })]),
    ...(asked.hasPauses ? PAUSED : []),
  ];
}

/** A number for each touch of `touch_list`, of what there is for each place. */
const numbers = (name: string, number: string, lists: Columns) => `arrayPushBack(arrayFlatten(arrayMap(
  (ones, ${Object.keys(lists).join(', ')}) -> arrayMap(_ -> ${number}, ones),
  credited.touches, ${Object.values(lists).join(', ')}
)), toUInt64(0)) AS ${name}`;

/** The touches of campaigns that were ever paused, and the places of the campaigns among the pauses. */
const PAUSED = [
  `(
  SELECT tuple(arrayPushBack(groupArray(touch), 18446744073709551615), arrayPushBack(groupArray(place), 0))
  FROM (
    SELECT touch, toUInt64(indexOf({paused_campaigns:Array(UInt32)}, campaign_id)) AS place
    FROM touches
    WHERE place > 0
  )
) AS paused`,
  'paused.1 AS paused_touches',
  'paused.2 AS paused_places',
];

/** The touches of a question, and where visits are credited to them, the places that these count for. */
export const touchSteps = (asked: Asked, credits: boolean): string[] => [
  ...(meansCampaigns(asked) ? [campaignKeys(asked)] : []),
  touches(asked),
  ...(credits ? places(asked) : []),
];

export const WEB: Model = {
  dimensions: [
    column('campaign_name', { isFilter: true, namesSource: 'campaign' }),
    column('campaign', { columns: ['campaign', 'campaign_name'], label: 'facts.campaign_name' }),
    column('channel'),
    column('network_campaign'),
    column('ad_set', { named: 'ad_set_named' }),
    column('ad', { named: 'ad_named' }),
    column('source'),
    column('medium'),
    ...Object.keys(OF_HITS).map((name) => column(name)),
    time('day'),
    time('week'),
    month('month'),
    hour(),
  ],
  metricNames: [...Object.keys(METRICS), `${EVENT}<name>`],
  documented: [...Object.keys(METRICS), `${EVENT}<name>`],
  metric: (name) => {
    const fixed = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
    if (fixed) return { name, ...fixed };
    if (!name.startsWith(EVENT) || name === EVENT) return undefined;
    const event = name.slice(EVENT.length);
    const times = count(measure('event', visits, 'countIf(event_name = {event:String})', { event }));
    return { name, ...called(event, times) };
  },
  steps: (asked) => {
    const credits = asked.counts('visits') && usesTouches(asked);
    return credits || asked.counts('spend') ? touchSteps(asked, credits) : [];
  },
};
