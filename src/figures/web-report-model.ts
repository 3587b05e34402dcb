/**
 * The facts, dimensions and metrics of the web report (docs/contract/web-report.md), credited as those of web queries
 * (./web-model.ts). Its days are those of Asia/Kolkata, by which visitors have their hits summed up: to elements,
 * conversions and events by name, so that fewer of them are read than there are hits.
 */
import {
  column,
  count,
  IN_RANGE,
  measure,
  OF_PROJECT,
  type Asked,
  type Columns,
  type Dimension,
  type Fact,
  type Measure,
  type Quantity,
  type Relation,
  type Source,
} from './model';
import { creditedPlaces, OF_TOUCH, tellsSourcesApart, touchSteps, UTM } from './web-model';

/** How many of Google's synced campaigns are listed without visitors. */
const MAX_LISTED = 1_000;

/** What the touches of a group say, by its place in `credited`. */
const said = (name: string) => `credited.${name}[bitAnd(place, 4294967295)]`;

interface List {
  /** The list of a visitor. */
  readonly name: string;
  /** What is counted of its items, by the name that it has then. */
  readonly counted: Columns;
  /**
   * By what the items of a visitor are numbered: the first of each row, and of each session in a row, counts, so that
   * uniques are exact without a set of visitors.
   */
  readonly numbered?: Columns;
  readonly only?: { readonly given: readonly string[]; readonly filters: readonly string[] };
}

function selectItems(asked: Asked, { name: list, counted, numbered = {}, only }: List): Relation {
  const isFiner = tellsSourcesApart(asked);
  // What an item counts for; nothing where it is 0.
  const numbers: [name: string, text: string][] = [
    ['rows', isFiner ? 'arrayMap(place -> bitShiftRight(place, 32), places)' : 'places'],
    ['all', 'arrayMap(place -> place != 0, places)'],
    ['own_sessions', `\`${list}.session\``],
    [
      'sources',
      `arrayMap(
      (touch, place) -> if(place = 0, 0, transform(touch, touch_list, source_list, toUInt64(0))),
      touches, places)`,
    ],
  ];
  const isNumberedBy = (name: string) => Object.values(numbered).some((by) => by.split(', ').includes(name));
  const selected = [
    `\`${list}.day\` AS own_days`,
    ...Object.entries(counted).map(([name, of]) => `\`${list}.${of}\` AS ${name}s`),
    ...creditedPlaces(asked, list, only),
    ...numbers.filter(([name]) => isNumberedBy(name)).map(([name, text]) => `${text} AS ${name}`),
  ];
  const joined = [
    'places AS place',
    ...Object.keys(counted).map((name) => `${name}s AS ${name}`),
    ...Object.entries(numbered).map(([name, by]) => `arrayEnumerateUniq(${by}) AS ${name}`),
  ];
  return {
    from: `(
  SELECT
    ${selected.join(',\n    ')}
  FROM ${asked.table('web_visitors')}
  WHERE ${OF_PROJECT} AND last_day >= {from:Date} AND first_day <= {to:Date}
    AND notEmpty(\`${list}.day\`)
) AS visitors
ARRAY JOIN
  ${joined.join(',\n  ')}`,
    where: ['place != 0'],
    columns: Object.fromEntries(OF_TOUCH.map((name) => [name, said(name)])),
    followsFrom: Object.fromEntries(OF_TOUCH.map((name) => [name, 'place'])),
  };
}

const fact = (name: string, relation: Fact['relation']): Fact => ({
  name,
  columns: [...OF_TOUCH, ...UTM],
  filtersItself: true,
  relation,
});

const elements = fact('elements', (asked) =>
  selectItems(asked, {
    name: 'element',
    counted: { view: 'page_views' },
    numbered: {
      nth_of_row: 'rows',
      nth_of_all: 'all',
      nth_session_of_row: 'rows, own_sessions',
      nth_session_of_all: 'all, own_sessions',
      ...(tellsSourcesApart(asked) ? { nth_of_source: 'sources' } : {}),
    },
  }),
);
const conversions = fact('conversions', (asked) =>
  selectItems(asked, {
    name: 'conversion',
    counted: { is_signup: 'is_signup', user: 'user', amount: 'revenue' },
    numbered: { nth_of_row: 'rows, is_signups', nth_of_all: 'all, is_signups' },
  }),
);
const events = fact('events', (asked) =>
  selectItems(asked, {
    name: 'event',
    counted: { event_name: 'name', event_count: 'count' },
    only: { given: ['event_name'], filters: ['has({events:Array(String)}, event_name)'] },
  }),
);

/** Synced Google campaigns that pass, with or without visitors, in the order of what was spent. */
const listings = fact('listings', ({ table, passes }) => ({
  from: `(
  SELECT network_campaign_id, row_number() OVER (ORDER BY spend DESC, network_campaign_id) AS place
  FROM (
    SELECT own.network_campaign_id AS network_campaign_id, sum(spent.spend) AS spend
    FROM (
      SELECT campaign_id, network_campaign_id
      FROM ${table('campaigns')}
      WHERE ${[OF_PROJECT, "NOT deleted AND network = 'GOOGLE' AND network_campaign_id != ''"].join(' AND ')}${passes(
        'campaign',
        'network_campaign_id',
      )
        .map((condition) => `\n        AND ${condition}`)
        .join('')}
    ) AS own
    LEFT JOIN (
      SELECT campaign_id, sum(spend) AS spend
      FROM ${table('spend_by_campaign_day')}
      WHERE ${OF_PROJECT} AND date ${IN_RANGE} AND network != ''
      GROUP BY campaign_id
    ) AS spent ON own.campaign_id = spent.campaign_id
    GROUP BY network_campaign_id
  )
) AS google`,
  where: [],
  columns: { campaign: 'network_campaign_id' },
}));

/** Nobody counts twice, neither in a row nor in the totals, which are no sums of rows. */
const unique = (name: string, of: Fact, ofRow: string, ofAll: string): Measure => ({
  name,
  parts: [
    { fact: of, column: name, aggregate: ofRow },
    { fact: of, column: `all_${name}`, aggregate: ofAll },
  ],
  summed: `if(is_total, sum(facts.all_${name}), sum(facts.${name}))`,
});

/** A list, or a map, that is put together of those of all groups. */
const gathered = (name: string, of: Fact, aggregate: string, type: string, summed: string): Measure => ({
  name,
  parts: [
    {
      fact: of,
      column: `${name}_gathered`,
      aggregate,
      nothing: `CAST(${type.startsWith('Map') ? 'map()' : '[]'}, '${type}')`,
    },
  ],
  summed,
});

const COUNTS = 'Map(String, UInt64)';
const METRICS: Readonly<Record<string, Measure>> = Object.fromEntries(
  [
    unique('visitors', elements, 'countIf(nth_of_row = 1)', 'countIf(nth_of_all = 1)'),
    unique('sessions', elements, 'countIf(nth_session_of_row = 1)', 'countIf(nth_session_of_all = 1)'),
    measure('page_views', elements, 'sum(view)'),
    measure('signups', conversions, 'countIf(is_signup)'),
    // Not sets of them: the smallest takes more room than a touch, of which there may be a million.
    gathered(
      'unique_signup_users',
      conversions,
      'groupArrayIf(user, is_signup)',
      'Array(UInt128)',
      'uniqExactArray(facts.unique_signup_users_gathered)',
    ),
    unique(
      'signup_visitors',
      conversions,
      'countIf(is_signup AND nth_of_row = 1)',
      'countIf(is_signup AND nth_of_all = 1)',
    ),
    measure('purchases', conversions, 'countIf(NOT is_signup)'),
    measure('revenue', conversions, 'sum(amount)'),
    {
      ...gathered(
        'event_times',
        events,
        'sumMap(map(toString(event_name), toUInt64(event_count)))',
        COUNTS,
        'mapValues(sumMap(facts.event_times_gathered))',
      ),
      isNote: true,
    },
    { name: 'event_names', parts: [], summed: 'mapKeys(sumMap(facts.event_times_gathered))', isNote: true },
    // Among several sources with as many visitors, the first by name.
    {
      ...gathered(
        'main_source',
        elements,
        `map(${said('source')}, countIf(nth_of_source = 1))`,
        COUNTS,
        `arraySort(
    (source, times) -> (-toInt64(times), source),
    mapKeys(sumMap(facts.main_source_gathered) AS of_sources), mapValues(of_sources))[1]`,
      ),
      isNote: true,
    },
    {
      ...gathered('merged', elements, `[${said('key')}]`, 'Array(String)', 'uniqExactArray(facts.merged_gathered) > 1'),
      isNote: true,
    },
    { name: 'campaign_id', parts: [], summed: 'any(campaign_keys.campaign_id)', isNote: true },
    measure('listed', listings, `countIf(place <= ${MAX_LISTED})`),
    measure('omitted', listings, `countIf(place > ${MAX_LISTED})`, { hides: true }),
  ].map((one) => [one.name, one]),
);

/** What rows are; `none` is what the row without a key is called. */
const row = (name: string, none: string, more: Partial<Dimension> = {}): Dimension =>
  column(name, { label: `if(facts.${name} = '', '${none}', facts.${name})`, isEmptyLast: true, ...more });

/** Rows that are called as the campaign that their key means. */
const campaigns = (name: string, none: string, keys: string): Dimension =>
  row(name, none, {
    label: `multiIf(
    facts.${name} = '', '${none}',
    campaign_keys.name != '', campaign_keys.name,
    facts.${name})`,
    join: `LEFT JOIN ${keys} ON facts.${name} = campaign_keys.key`,
  });

export const WEB_REPORT: Source & { readonly metric: (name: string) => Quantity | undefined } = {
  dimensions: [
    campaigns('campaign', '(no campaign ID)', 'campaign_keys'),
    row('channel', '(no channel)'),
    row('source', '(no source)'),
    campaigns(
      'network_campaign',
      '(no ad network campaign)',
      '(SELECT * FROM campaign_keys WHERE network = upper({channel:String})) AS campaign_keys',
    ),
    row('ad_set', '(no ad set)'),
    row('ad', '(no ad)'),
    column('medium', { isFilter: true }),
    ...UTM.map((name) => column(name, { isFilter: true })),
  ],
  metric: (name): Quantity | undefined => {
    const of = METRICS[name];
    return of && { name, ...count(of) };
  },
  steps: (asked) => touchSteps(asked, true),
};
