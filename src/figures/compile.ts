/**
 * Makes SQL of a question: only the facts, columns, joins and filters that it needs, since ClickHouse plans all that
 * stands in a statement. Each fact is grouped separately, the facts are added up, and campaigns are named last. Values
 * are bound; names in the text come from the models alone.
 */
import { countDecimals } from '../lib/format';
import {
  knows,
  listMeasures,
  type Asked,
  type Dimension,
  type Fact,
  type Measure,
  type Quantity,
  type Source,
  type Part,
  type Relation,
} from './model';

export interface Filter {
  /** `equals` compares one value as it is, all others compare in any case. */
  readonly operator: 'is' | 'is_not' | 'contains' | 'contains_not' | 'equals';
  readonly dimension: string;
  readonly values: readonly string[];
}

export interface Question {
  readonly metrics: readonly Quantity[];
  readonly dimensions: readonly string[];
  readonly filters: readonly Filter[];
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[];
  /** Whether what no campaign is credited with counts. */
  readonly organic: boolean;
  /** For a range that is compared with: by how many days, or years, the days that its days stand for are later. */
  readonly moved?: { readonly days: number; readonly years: number };
  /** For totals: the dimensions of the rows that they sum up. */
  readonly totalsOver?: readonly string[];
  /**
   * For a report, which orders and rounds itself: all groups that there are, on whatever days, with nothing in the
   * range too; money as exact texts.
   */
  readonly isRaw?: boolean;
  /**
   * For who computes further with one metric: what it is made of, as exact texts. Groups of which nothing was counted
   * may be among the rows, and there is no order.
   */
  readonly isExact?: boolean;
  /** Only these campaigns: {campaigns} is bound. */
  readonly ofCampaigns?: boolean;
  /** Only the rows of which a dimension, or what it is called, contains this, in any case. */
  readonly search?: { readonly text: string; readonly labelsOnly: boolean };
}

/** Where a statement reads: the tables, or the views that readers may see. */
export type Place = 'adtrail' | 'analytics';

export interface Statement {
  readonly text: string;
  /** What the text binds of the question; what it is about, as {project_id}, comes on top. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The columns of the rows: of each dimension, of what it is called, of each metric. */
  readonly columns: {
    readonly dimensions: readonly string[];
    readonly labels: readonly (string | undefined)[];
    readonly metrics: readonly string[];
  };
  /** Whether figures that are known by what is asked for may be unknown in some rows. */
  readonly mayLack: boolean;
}

/** What is no table with versions: it is read as it is. */
const VIEWS = ['counted_spend', 'spend_by_campaign_day'];
/** Names of tables in statements where columns would be mistaken for what is made of them. */
const ALIASES: Readonly<Record<string, string>> = { counted_spend: 'spent', ad_spend: 'spent', campaigns: 'known' };

/** Views for readers that are called otherwise than the table below them. */
const TABLES: Readonly<Record<string, string>> = { tracked_clicks: 'clicks' };

const nameTables =
  (place: Place) =>
  (name: string, alias = ALIASES[name]): string => {
    const named = alias ? ` AS ${alias}` : '';
    if (place === 'analytics') return `analytics.${name}${named}`;
    return `adtrail.${TABLES[name] ?? name}${named}${VIEWS.includes(name) ? '' : ' FINAL'}`;
  };

const indented = (text: string) => text.replace(/^(?=.)/gm, '  ');

/** How wide lists are that stand inside two more. */
const MAX_LINE = 100;
/** A list with as many items in a line as fit. */
function wrapped(items: readonly string[], separator = ', '): string {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = last === undefined ? item : `${last}${separator}${item}`;
    if (last !== undefined && longer.length <= MAX_LINE) lines[lines.length - 1] = longer;
    else lines.push(item);
  }
  const [before, after] = separator === ', ' ? [',\n', ''] : ['\n  ', separator.trimStart()];
  return lines.map((line, at) => (at === 0 ? line : `${before}${after}${line}`)).join('');
}

interface Select {
  readonly columns: readonly string[];
  readonly from: string;
  readonly where?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly rest?: string;
}
const select = ({ columns, from, where = [], groupBy = [], rest = '' }: Select): string =>
  [
    `SELECT\n${indented(wrapped(columns))}`,
    `FROM ${from}`,
    ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(groupBy.length > 0 ? [`GROUP BY ${wrapped(groupBy)}`] : []),
    ...(rest === '' ? [] : [rest]),
  ].join('\n');

/** A question with everything that the parts of its statement have in common. */
class Plan {
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  /** The metrics that a dimension or filter does not make unknown. */
  readonly known: readonly Quantity[];
  /** The parts of the measures that know what is asked for, by their facts. */
  readonly parts = new Map<Fact, { readonly part: Part; readonly measure: Measure }[]>();
  readonly params: Record<string, unknown> = {};
  readonly asked: Asked;
  /** The columns that facts are grouped by, beside the campaign. */
  readonly keys: readonly string[];
  readonly joinsCampaigns: boolean;
  readonly hasMoney: boolean;
  /** The names of events, in the order of their numbers. */
  private readonly events: readonly string[];

  constructor(
    readonly model: Source,
    readonly question: Question,
    readonly options: Options,
  ) {
    const { filters, metrics, totalsOver, organic } = question;
    const listColumns = (names: readonly string[]) => new Set(names.flatMap((name) => this.dimension(name).columns));
    const filtered = filters.map(({ dimension }) => dimension);
    const usedNames = [...(totalsOver ?? question.dimensions), ...filtered];
    const used = listColumns(usedNames);
    this.dimensions = question.dimensions.map((name) => this.dimension(name));
    this.keys = [...listColumns(question.dimensions)];
    this.known = metrics.filter((metric) => usedNames.every((name) => knows(metric, this.dimension(name))));
    this.measures = listMeasures(this.known);
    this.events = [...new Set(this.measures.flatMap(({ event }) => event ?? []))];
    this.events.forEach((event, at) => (this.params[`event_${at + 1}`] = event));
    for (const measure of this.measures)
      for (const part of measure.parts)
        if (!part.isOptional || [...used].every((column) => part.fact.columns.includes(column)))
          this.parts.set(part.fact, [...(this.parts.get(part.fact) ?? []), { part, measure }]);
    this.putTogether(question.isRaw ?? false);
    this.joinsCampaigns =
      this.dimensions.some(({ ofCampaign }) => ofCampaign) || this.measures.some(({ sum }) => sum !== undefined);
    this.hasMoney = this.measures.some(({ isMoney }) => isMoney);
    const counted = new Set([...this.measures, ...this.parts.keys()].map(({ name }) => name));
    this.params.cohort_day = Math.max(0, ...metrics.map(({ sharesCohort, day = 0 }) => (sharesCohort ? day : 0)));
    this.asked = {
      table: nameTables(options.place),
      uses: (...columns) => columns.some((column) => used.has(column)),
      groupsBy: (...columns) => columns.some((column) => this.keys.includes(column)),
      passes: (dimension, value) => passes(this, dimension, value),
      counts: (...names) => names.some((name) => counted.has(name)),
      moved: (day) => movedBy(question.moved, day),
      events: this.events.length,
      organic,
      readsAll: question.isRaw ?? false,
      hasPauses: options.hasPauses ?? false,
      isFirstTouch: options.isFirstTouch ?? false,
      ofCampaign: this.dimensions.filter(({ ofCampaign }) => ofCampaign).map(({ name }) => name),
      needsCampaigns: this.joinsCampaigns || filters.some(({ dimension }) => this.dimension(dimension).ofCampaign),
    };
  }

  /** What several facts would read a table for is counted of one, unless rows are by what only one of them knows. */
  private putTogether(always: boolean): void {
    // One that has no other way would count rows there that are none of its own.
    const findFact = (own: readonly { readonly part: Part }[]) =>
      own.every(({ part }) => part.together) ? own[0]?.part.together?.fact : undefined;
    const facts = [...this.parts.values()].map(findFact);
    for (const [fact, own] of [...this.parts]) {
      const together = findFact(own);
      if (!together || !this.keys.every((key) => together.columns.includes(key))) continue;
      if (!always && facts.filter((one) => one === together).length < 2) continue;
      this.parts.delete(fact);
      const moved = own.map(({ part, measure }) => ({ part: { ...part, ...part.together }, measure }));
      this.parts.set(together, [...(this.parts.get(together) ?? []), ...moved]);
    }
  }

  dimension(name: string): Dimension {
    return this.model.dimensions.find((one) => one.name === name) as Dimension;
  }

  /** A column of a measure: those of events are numbered, whatever the events are called. */
  columnName({ event }: Measure, column: string): string {
    return event === undefined ? column : `${column}_${this.events.indexOf(event) + 1}`;
  }

  aggregate({ aggregate }: Part, { event }: Measure): string {
    const text = typeof aggregate === 'string' ? aggregate : aggregate(this.asked);
    return event === undefined ? text : text.replaceAll('{event:', `{event_${this.events.indexOf(event) + 1}:`);
  }
}

/** The day that one of a range compared with stands for. */
function movedBy(moved: Question['moved'], day: string): string {
  if (moved?.days) return `addDays(${day}, ${moved.days})`;
  return moved?.years ? `addYears(${day}, ${moved.years})` : day;
}

/** The conditions under which a value passes the filters on a dimension; texts are compared in any case. */
function passes(plan: Plan, dimension: string, value: string): string[] {
  return plan.question.filters.flatMap(({ operator, dimension: filtered, values }, at) => {
    if (filtered !== dimension) return [];
    const name = `filter_${at + 1}`;
    plan.params[name] = operator === 'equals' ? values[0] : values;
    if (operator === 'equals') return `${value} = {${name}:String}`;
    const not = operator.endsWith('_not') ? 'NOT ' : '';
    const list = `{${name}:Array(String)}`;
    return operator.startsWith('is')
      ? `${not}has(arrayMap(one -> lowerUTF8(one), ${list}), lowerUTF8(${value}))`
      : `${not}arrayExists(part -> positionCaseInsensitiveUTF8(${value}, part) > 0, ${list})`;
  });
}

/** Conditions on the campaign of a row. */
function ofCampaigns({ model, asked, question }: Plan): string[] {
  if (question.ofCampaigns) return ['campaign_id IN {campaigns:Array(UInt32)}'];
  const named = model.dimensions.filter(({ ofCampaign }) => ofCampaign);
  if (named.length === 0) return [];
  const conditions = named.flatMap(({ name }) => asked.passes(name, name));
  if (conditions.length === 0) return asked.organic ? [] : ['campaign_id != 0'];
  // ClickHouse 26.6 and 26.7 refuse an empty set beside an ARRAY JOIN: no campaign has the last ID.
  return [
    `campaign_id IN (
    SELECT campaign_id FROM campaigns
    WHERE ${conditions.join('\n      AND ')}
    UNION ALL
    SELECT 4294967295)`,
  ];
}

/** Conditions on the values of a row. */
const ofValues = ({ model, asked }: Plan, { columns }: Relation): string[] =>
  model.dimensions
    .filter(({ ofCampaign, isTime }) => !ofCampaign && !isTime)
    .flatMap(({ name }) => asked.passes(name, String(columns[name])));

/** The rows of one fact: what is counted in each group, and nothing of what other facts count. */
function factSelect(plan: Plan, fact: Fact): string {
  const { joinsCampaigns, keys, parts, dimensions, hasMoney } = plan;
  const own = parts.get(fact) ?? [];
  const relation = fact.relation(plan.asked);
  // Those of whom each counts once in a group are counted by what the group has of campaigns; then it makes no
  // difference which of its campaigns gives it its names.
  const isAbove = joinsCampaigns && own.some(({ part }) => part.isDistinct) && !dimensions.some(isCampaign);
  const above = isAbove ? dimensions.filter(({ ofCampaign }) => ofCampaign).map(({ value }) => value) : [];
  const money = own.some(({ measure }) => measure.isMoney) ? relation.money : undefined;
  return select({
    columns: [
      ...(joinsCampaigns ? [`${isAbove ? 'any(campaign_id)' : 'campaign_id'} AS campaign_number`] : []),
      ...keys.map((key) => `${relation.columns[key]} AS ${key}`),
      ...(hasMoney ? moneyColumns(money) : []),
      ...dimensions.flatMap(({ named, name }) => (named ? [`${latestName(relation, name)} AS ${named}`] : [])),
      ...[...parts].flatMap(([other, all]) =>
        all.map(({ part, measure }) => {
          const counted = other === fact ? plan.aggregate(part, measure) : (part.nothing ?? '0');
          return `${counted} AS ${plan.columnName(measure, part.column)}`;
        }),
      ),
    ],
    from: relation.from + (above.length > 0 ? '\nINNER JOIN campaigns USING (campaign_id)' : ''),
    where: [...relation.where, ...(fact.filtersItself ? [] : ofValues(plan, relation)), ...ofCampaigns(plan)],
    groupBy: [
      ...(isAbove ? above : joinsCampaigns ? ['campaign_number'] : []),
      ...new Set(keys.map((key) => relation.followsFrom?.[key] ?? key)),
      ...(money ? ['currency', 'rate_day'] : []),
    ],
  });
}

const isCampaign = ({ name }: Dimension) => name === 'campaign';

/** The currency of a row and the day whose rate applies; the project's own needs none: its days are not told apart. */
const moneyColumns = (money: Relation['money']): string[] => [
  `${money ? `toString(${money.currency})` : '{currency:String}'} AS currency`,
  `${money ? `if(currency = {currency:String}, toDate(0), ${money.day})` : 'toDate(0)'} AS rate_day`,
];

const latestName = ({ names }: Relation, dimension: string) =>
  names ? `max((${names.at}, ${names.columns[dimension]}))` : "(toDateTime64(0, 3, 'UTC'), '')";

/** With the exchange rates of their days: without a rate for both currencies `usd` is 0, and so is the amount. */
function pricedSelect({ asked, options: { currency } }: Plan): string {
  const isUsd = currency === 'USD';
  const join = (as: string, of: string) =>
    `\nASOF LEFT JOIN ${asked.table('exchange_rates', as)}\n` +
    `  ON facts.${of} = ${as}.currency AND facts.rate_day >= ${as}.date`;
  const [facts, ownUsd, ownJoin] = isUsd
    ? ['facts', '1', '']
    : ['(SELECT *, {currency:String} AS own_currency FROM facts) AS facts', 'own.usd', join('own', 'own_currency')];
  return select({
    columns: [
      'facts.*',
      "if(facts.currency = 'USD', 1, rate.usd) AS unit_usd",
      `${ownUsd} AS own_usd`,
      'facts.currency = {currency:String} AS is_own',
      'is_own OR (unit_usd != 0 AND own_usd != 0) AS has_rate',
      'toDecimal256(multiIf(is_own, 1, has_rate, unit_usd, 0), 18) AS usd',
      'toDecimal256(if(is_own OR NOT has_rate, 1, own_usd), 18) AS report_usd',
    ],
    from: `${facts}${join('rate', 'currency')}${ownJoin}`,
  });
}

/** One row per group: everything that was counted, summed. */
function sumSelects(plan: Plan): string[] {
  const { dimensions, measures, hasMoney, joinsCampaigns, question } = plan;
  const { withTotals } = plan.options;
  const joined = [
    ...dimensions.flatMap(({ expands }) => (expands ? [`\n${expands}`] : [])),
    ...(joinsCampaigns ? ['\nINNER JOIN campaigns ON facts.campaign_number = campaigns.campaign_id'] : []),
    ...dimensions.flatMap(({ join }) => (join ? [`\n${join}`] : [])),
  ].join('');
  const keys = dimensions.map(({ name, value }) => `${value} AS ${name}`);
  const labels = dimensions.flatMap(({ name, label, named }) =>
    label ? [`any(${label}) AS ${name}_name`] : named ? [`max(facts.${named}) AS ${named}`] : [],
  );
  const listColumns = (measure: Measure) =>
    measure.parts.flatMap((part) =>
      plan.parts.get(part.fact)?.some((one) => one.part.column === part.column) ? part.column : [],
    );
  const sum = (measure: Measure, times = '') => {
    const name = plan.columnName(measure, measure.name);
    if (measure.summed) return `${measure.summed} AS ${name}`;
    const { combine = 'sum' } = measure;
    return `${measure.sum ? measure.sum(listColumns(measure)) : `${combine}(facts.${name}${times})`} AS ${name}`;
  };
  const names = dimensions.map(({ name }) => name);
  if (!hasMoney)
    return [
      `sums AS (\n${indented(
        select({
          columns: [
            ...keys,
            ...labels,
            ...(withTotals ? [`grouping(${names.join(', ')}) != 0 AS is_total`] : []),
            ...measures.map((one) => sum(one)),
          ],
          from: `facts${joined}`,
          groupBy: withTotals ? [`GROUPING SETS ((${names.join(', ')}), ())`] : names,
        }),
      )}\n)`,
    ];
  return [
    `priced AS (\n${indented(pricedSelect(plan))}\n)`,
    // What one rate of the project's currency divides is summed first, so that it is divided, and rounded, only once.
    `in_usd AS (\n${indented(
      select({
        columns: [
          ...keys,
          'report_usd',
          ...labels,
          ...measures.map((one) => sum(one, one.isMoney ? ' * usd' : '')),
          'groupUniqArrayIf(facts.currency, NOT has_rate) AS unconverted',
        ],
        from: `priced AS facts${joined}`,
        groupBy: [...names, 'report_usd'],
      }),
    )}\n)`,
    `sums AS (\n${indented(
      select({
        columns: [
          ...names.map((name) => `in_usd.${name} AS ${name}`),
          ...dimensions.flatMap(({ name, label, named }) =>
            label ? [`any(in_usd.${name}_name) AS ${name}_name`] : named ? [`max(in_usd.${named}) AS ${named}`] : [],
          ),
          ...measures.map((one) => {
            const name = plan.columnName(one, one.name);
            const inOwn = `sum(in_usd.${name} / report_usd)`;
            if (one.isMoney) return `${question.isRaw ? inOwn : `CAST(${inOwn}, 'Decimal(76, 18)')`} AS ${name}`;
            return `${one.combine ?? 'sum'}(in_usd.${name}) AS ${name}`;
          }),
          'groupUniqArrayArray(in_usd.unconverted) AS unconverted',
        ],
        from: 'in_usd',
        groupBy: names,
      }),
    )}\n)`,
  ];
}

const UNKNOWN = "CAST(NULL, 'Nullable(Float64)')";

/** The value of a metric, of the sums of its group. */
function metricValue(plan: Plan, metric: Quantity): string {
  const { measure, divisor, less, scale, format } = metric;
  if (!plan.known.includes(metric)) return UNKNOWN;
  const lacks = measure.lacks?.(plan.asked);
  if (lacks) return `if(${lacks.group}, NULL, sums.${measure.name})`;
  const decimals = format === 'money' ? countDecimals(plan.options.currency) : metric.decimals;
  const value = `sums.${plan.columnName(measure, measure.name)}`;
  if (less) return `round(${value} - sums.${plan.columnName(less, less.name)}, ${decimals})`;
  if (!divisor) return format === 'count' ? value : `round(${value}, ${decimals})`;
  const by = `sums.${plan.columnName(divisor, divisor.name)}`;
  const exact = measure.isMoney ? value : `toDecimal256(${value}, 18)`;
  return `round(${exact}${scale} / nullIf(${by}, 0), ${decimals})`;
}

/** What a value of a dimension is called. */
const labelColumn = ({ name, label, named }: Pick<Dimension, 'name' | 'label' | 'named'>): string =>
  label || !named ? `sums.${name}${label ? '_name' : ''}` : `if(sums.${named}.2 = '', sums.${name}, sums.${named}.2)`;

/** Whether a dimension of a row, or what it is called, contains what is searched for. */
function contains(dimensions: readonly Dimension[], { labelsOnly }: { readonly labelsOnly: boolean }): string {
  const texts = dimensions.flatMap((one) => [...(labelsOnly ? [] : [`sums.${one.name}`]), labelColumn(one)]);
  const conditions = [...new Set(texts)].map((text) => `positionCaseInsensitiveUTF8(${text}, {search:String}) > 0`);
  return `(${conditions.join(' OR ')})`;
}

/** Names that columns may have as they are. */
const PLAIN_NAME = /^[a-z][a-z0-9_]*$/;

export interface Options {
  readonly place: Place;
  /** The project's. */
  readonly currency: string;
  readonly hasPauses?: boolean;
  /** For web visits: the first touch is credited, and not the last one. */
  readonly isFirstTouch?: boolean;
  /** With the number of rows on all pages, and the currencies that any of them left out. */
  readonly isPage?: boolean;
  /** For figures without money: one row over all comes before the others, whatever the page, marked `is_total`. */
  readonly withTotals?: boolean;
  /** What the statement is known by in traces (src/tracing/engines.ts); `query` unless given. */
  readonly name?: string;
  /** Only the rows with these dimensions. */
  readonly only?: readonly (readonly string[])[];
}

/** By its name a statement is known in traces. */
const nameComment = ({ place, name = 'query' }: Options) => (place === 'adtrail' ? `-- ${name}\n` : '');

/** Where all metrics are unknown there is nothing to count, and no row. */
function nothingKnown({ dimensions, question: { metrics }, options, params }: Plan): Statement {
  const labels = dimensions.map(({ name, label, named }) => (label || named ? `${name}_name` : undefined));
  const columns = [
    ...dimensions.flatMap(({ name }, at) => [`'' AS ${name}`, ...(labels[at] ? [`'' AS ${labels[at]}`] : [])]),
    ...metrics.map(({ name }) => `${UNKNOWN} AS ${name}`),
  ];
  const names = { dimensions: dimensions.map(({ name }) => name), labels, metrics: metrics.map(({ name }) => name) };
  return {
    text: `${nameComment(options)}SELECT\n${indented(wrapped(columns))}\nWHERE false\nLIMIT {limit:UInt32}`,
    params,
    columns: names,
    mayLack: false,
  };
}

/** What metrics are called in an answer of rows. */
const nameMetrics = (plan: Plan): string[] =>
  plan.question.metrics.map((metric) =>
    PLAIN_NAME.test(metric.name) ? metric.name : plan.columnName(metric.measure, metric.measure.name),
  );

const hasName = ({ label, named }: Dimension) => label !== undefined || named !== undefined;
const nameColumns = (dimension: Dimension): string[] =>
  hasName(dimension) ? [`${labelColumn(dimension)} AS ${dimension.name}_name`] : [];

/** The sums as they are, for statements that compute with them. */
function selectRaw(plan: Plan): string {
  return select({
    columns: [
      ...plan.dimensions.map(({ name }) => `sums.${name} AS ${name}`),
      ...plan.measures.map((measure) => {
        const column = plan.columnName(measure, measure.name);
        return `${measure.isMoney ? `toString(sums.${column})` : `sums.${column}`} AS ${column}`;
      }),
      ...(plan.hasMoney ? ['sums.unconverted AS unconverted'] : []),
    ],
    from: 'sums',
  });
}

/** The parts of each metric as text, so that no digit is lost. */
function selectExact(plan: Plan): string {
  return select({
    columns: [
      ...plan.dimensions.flatMap((one) => [`toString(sums.${one.name}) AS ${one.name}`, ...nameColumns(one)]),
      ...plan.question.metrics.flatMap(({ measure, less, divisor }) =>
        Object.entries({ amount: measure, less, divisor }).flatMap(([as, one]) =>
          one ? [`toString(sums.${plan.columnName(one, one.name)}) AS ${as}`] : [],
        ),
      ),
      ...(plan.hasMoney ? ['sums.unconverted AS unconverted'] : []),
    ],
    from: 'sums',
    rest: 'LIMIT {limit:UInt32}',
  });
}

/** Metrics that may be unknown for some of what is asked, and the condition for that. */
const findLacking = (plan: Plan) =>
  plan.known.flatMap(({ name, measure }) => {
    const lacks = measure.lacks?.(plan.asked);
    return lacks ? [{ name, ...lacks }] : [];
  });

/** As it was asked for, then by the values, so that pages follow each other. */
function orderRows({ question, dimensions }: Plan, metricColumns: readonly string[]): string {
  const orders = question.orderBy.map(({ name, descending }) => {
    const at = question.metrics.findIndex((metric) => metric.name === name);
    return `${at < 0 ? `sums.${name}` : metricColumns[at]}${descending ? ' DESC' : ''}`;
  });
  const ties = dimensions.flatMap(({ name, isEmptyLast }) => [
    ...(isEmptyLast ? [`sums.${name} = ''`] : []),
    `sums.${name}`,
  ]);
  return wrapped([...new Set([...orders, ...ties])]);
}

/** Which rows are in the answer. A group with nothing but zeros is none, unless money was left out of it. */
function filterRows(plan: Plan, lacking: ReturnType<typeof findLacking>): string[] {
  const { dimensions, measures, question, options } = plan;
  const something = [
    ...measures
      .filter(({ isNote, hides }) => !isNote && !hides)
      .map((measure) => `sums.${plan.columnName(measure, measure.name)} != 0`),
    ...(dimensions.length === 0 ? lacking.map(({ any }) => any) : []),
    ...(plan.hasMoney ? ['notEmpty(sums.unconverted)'] : []),
  ];
  const values = dimensions.map(({ name }) => `toString(sums.${name})`).join(', ');
  return [
    `(${wrapped(something, ' OR ')})`,
    ...(options.only ? [`has({only:Array(Array(String))}, [${values}])`] : []),
    ...measures.filter(({ hides }) => hides).map((one) => `(sums.is_total OR sums.${one.name} = 0)`),
    ...(question.search ? [contains(dimensions, question.search)] : []),
  ];
}

/** A page of rows, with their number and, where they are asked for, the totals as a row of their own. */
function selectPage(plan: Plan, lacking: ReturnType<typeof findLacking>): string {
  const { dimensions, question, options } = plan;
  const { isPage, withTotals } = options;
  const metricColumns = nameMetrics(plan);
  const order = orderRows(plan, metricColumns);
  const unknown = lacking.map(({ name, any }) => `if(${any}, '${name}', '')`).join(', ');
  return select({
    columns: [
      ...dimensions.flatMap((one) => [
        `${one.isNumber ? `toString(sums.${one.name})` : `sums.${one.name}`} AS ${one.name}`,
        ...nameColumns(one),
      ]),
      ...question.metrics.map((metric, at) => `${metricValue(plan, metric)} AS ${metricColumns[at]}`),
      ...(isPage ? [`count${withTotals ? 'If(NOT sums.is_total)' : '()'} OVER () AS total`] : []),
      ...(withTotals ? ['sums.is_total AS is_total'] : []),
      ...(isPage && plan.hasMoney ? ['groupUniqArrayArray(sums.unconverted) OVER () AS left_out'] : []),
      ...(isPage && lacking.length > 0 ? [`[${unknown}] AS unknown`] : []),
    ],
    from: 'sums',
    where: filterRows(plan, lacking),
    rest: withTotals
      ? `QUALIFY sums.is_total
  OR row_number() OVER (PARTITION BY sums.is_total ORDER BY ${order})
    BETWEEN {offset:UInt64} + 1 AND {offset:UInt64} + {limit:UInt32}
ORDER BY sums.is_total DESC, ${order}`
      : [...(order === '' ? [] : [`ORDER BY ${order}`]), 'LIMIT {limit:UInt32} OFFSET {offset:UInt32}'].join('\n'),
  });
}

/**
 * The statement that answers a question. It binds {project_id}, {from}, {to}, {today}, {timezone}, {currency}, {view},
 * {limit}, {offset} and, with pauses, {paused_campaigns}, {pause_begins} and {pause_ends} as they are needed.
 */
export function compile(model: Source, question: Question, options: Options): Statement {
  const plan = new Plan(model, question, options);
  if (plan.known.length === 0) return nothingKnown(plan);
  const facts = [...plan.parts.keys()].map((fact) => factSelect(plan, fact));
  const steps = [
    ...model.steps(plan.asked),
    `facts AS (\n${indented(facts.join('\nUNION ALL\n'))}\n)`,
    ...sumSelects(plan),
  ];
  const lacking = findLacking(plan);
  if (options.only) plan.params.only = options.only;
  if (question.search) plan.params.search = question.search.text;
  const rows = question.isRaw ? selectRaw(plan) : question.isExact ? selectExact(plan) : selectPage(plan, lacking);
  return {
    text: `${nameComment(options)}WITH\n${steps.join(',\n')}\n${rows}`,
    params: plan.params,
    columns: {
      dimensions: plan.dimensions.map(({ name }) => name),
      labels: plan.dimensions.map((one) => (hasName(one) ? `${one.name}_name` : undefined)),
      metrics: nameMetrics(plan),
    },
    mayLack: lacking.length > 0,
  };
}
