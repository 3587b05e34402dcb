/**
 * A reference model of queries (docs/contract/queries.md), in plain loops over the journeys of report-model.ts: every
 * metric is added up once for each group that a record falls into.
 */
import {
  converter,
  countedSpend,
  dayNumber,
  readDay,
  Fraction,
  readJourneys,
  ZERO,
  type Journey,
  type ModelEvent,
  type World,
} from './report-model';

type Filter = readonly [operator: string, dimension: string, values: readonly string[]];

export interface ModelQuestion {
  readonly view?: 'user_acquisition' | 'retargeting';
  readonly metrics: readonly string[];
  readonly dimensions?: readonly string[];
  readonly filters?: readonly Filter[];
  readonly from: string;
  readonly to: string;
  readonly include?: readonly string[];
}

/** What a campaign is called. */
export interface ModelCampaign {
  readonly id: number;
  readonly campaign: string;
  readonly campaign_name: string;
  readonly network: string;
  readonly partner: string;
  readonly channel: string;
}

const ORGANIC = { id: 0, campaign: 'organic', campaign_name: 'Organic', network: '', partner: '', channel: '' };
const DAY = 86_400_000;
/** Metrics that what is spent is a part of. */
/** What ad networks, and clicks, do not tell. */
const UNTOLD_BY_CLICKS = ['app', 'os_version', 'app_version'];
const UNTOLD_BY_NETWORKS = [...UNTOLD_BY_CLICKS, 'country', 'hour'];
const OF_SPEND = ['spend', 'cpi', 'cpa', 'roas', 'profit', 'blended_cpi', 'blended_roas'];

const monday = (day: string) => readDay('UTC', Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * DAY);
const readHour = (timezone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, hour: '2-digit', hour12: false }).format(ms).padStart(2, '0');

type Dimensions = Readonly<Record<string, string>>;
const times = (day: string): Dimensions => ({ day, week: monday(day), month: day.slice(0, 7) });
const starts = (day: string): Dimensions => ({
  install_day: day,
  install_week: monday(day),
  install_month: day.slice(0, 7),
});

/** What is added up in one group. */
class Group {
  private readonly sums = new Map<string, Fraction>();
  private readonly sets = new Map<string, Set<string>>();
  /** Whether money was left out of it. */
  lacks = false;

  add(part: string, amount: Fraction | number): void {
    const more = typeof amount === 'number' ? new Fraction(BigInt(amount)) : amount;
    this.sums.set(part, (this.sums.get(part) ?? ZERO).plus(more));
  }

  note(part: string, who: string): void {
    this.sets.set(part, (this.sets.get(part) ?? new Set<string>()).add(who));
  }

  of(part: string): Fraction {
    const set = this.sets.get(part);
    return set ? new Fraction(BigInt(set.size)) : (this.sums.get(part) ?? ZERO);
  }
}

function passesOne([operator, dimension, wanted]: Filter, values: Dimensions): boolean {
  // What does not know the dimension is not asked for.
  const value = values[dimension]?.toLowerCase();
  if (value === undefined) return false;
  const contained = wanted.some((part) => value.includes(part.toLowerCase()));
  const isOne = wanted.some((one) => value === one.toLowerCase());
  if (operator === 'is') return isOne;
  if (operator === 'is_not') return !isOne;
  return operator === 'contains' ? contained : !contained;
}

const isMoneyMetric = (metric: string) =>
  /^(revenue|refund_amount|spend|arpu|cpi|cpa|profit|blended_cpi|ltv_d\d+|event_amount:.*)$/s.test(metric);
const CURRENCY_DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

const isOfNetworks = (metric: string) =>
  OF_SPEND.includes(metric) || metric === 'impressions' || metric.startsWith('roas_d');

/** A metric as a quotient of two parts; of one where there is no divisor. */
function readParts(metric: string): {
  part: string;
  divisor?: string;
  less?: string;
  percent?: boolean;
  decimals: number;
} {
  const [, kind = '', n = ''] = /^([a-z_]+)_d(\d+)$/.exec(metric) ?? [];
  if (['retention', 'classic_retention', 'rolling_retention'].includes(kind))
    return { part: metric, divisor: `mature ${n}`, percent: true, decimals: 2 };
  if (kind === 'conversion') return { part: metric, divisor: `mature ${n}`, percent: true, decimals: 2 };
  if (kind === 'mature') return { part: `mature ${n}`, divisor: 'starts', percent: true, decimals: 2 };
  if (kind === 'ltv') return { part: `earned ${n}`, divisor: 'cohort', decimals: 2 };
  if (kind === 'roas') return { part: `credited ${n}`, divisor: 'cohort spend', decimals: 2 };
  switch (metric) {
    case 'arpu':
      return { part: 'revenue', divisor: 'starts', decimals: 2 };
    case 'cpi':
      return { part: 'spend', divisor: 'credited starts', decimals: 2 };
    case 'cpa':
      return { part: 'spend', divisor: 'credited signups', decimals: 2 };
    case 'roas':
      return { part: 'credited revenue', divisor: 'spend', decimals: 2 };
    case 'profit':
      return { part: 'credited revenue', less: 'spend', decimals: 2 };
    case 'blended_cpi':
      return { part: 'spend', divisor: 'starts', decimals: 2 };
    case 'blended_roas':
      return { part: 'revenue', divisor: 'spend', decimals: 2 };
    case 'conversion':
      return { part: 'signups', divisor: 'starts', percent: true, decimals: 2 };
    default:
      return {
        part: metric,
        decimals: metric === 'revenue' || metric === 'spend' || metric.includes('amount') ? 2 : 0,
      };
  }
}

/** The metrics of each group that has anything, by its dimensions as a JSON array. */
export function modelQuery(
  world: World,
  campaigns: readonly ModelCampaign[],
  question: ModelQuestion,
): { rows: Map<string, (number | null)[]>; unconverted: string[] } {
  const { dimensions = [], filters = [], from, to, view = 'user_acquisition' } = question;
  const used = [...dimensions, ...filters.map(([, dimension]) => dimension)];
  const isUnknown = (metric: string) => {
    const untold = metric === 'clicks' ? UNTOLD_BY_CLICKS : isOfNetworks(metric) ? UNTOLD_BY_NETWORKS : [];
    return used.some((dimension) => untold.includes(dimension));
  };
  const metrics = question.metrics.filter((metric) => !isUnknown(metric));
  const groups = new Map<string, Group>();
  const unconverted = new Set<string>();
  /** The amount in the project's currency; where there is no rate, the group is one that leaves something out. */
  const converted = (group: Group, amount: (own: ReturnType<typeof converter>) => Fraction): Fraction => {
    const missing = new Set<string>();
    const result = amount(converter(world, missing));
    for (const currency of missing) unconverted.add(currency);
    group.lacks ||= missing.size > 0;
    return result;
  };
  const day = (ms: number) => readDay(world.timezone, ms);
  const today = dayNumber(day(world.now));
  const inRange = (date: string) => date >= from && date <= to;
  const passes = (values: Dimensions) => filters.every((filter) => passesOne(filter, values));
  const readGroup = (values: Dimensions): Group => {
    const key = JSON.stringify(dimensions.map((dimension) => values[dimension]));
    const group = groups.get(key) ?? new Group();
    groups.set(key, group);
    return group;
  };
  const isOrganicIn = (question.include ?? ['organic']).includes('organic');
  const readCampaign = (id: number) =>
    id === 0 ? (isOrganicIn ? ORGANIC : undefined) : campaigns.find((one) => one.id === id);
  const fields = ({ campaign, campaign_name, network, partner, channel }: ModelCampaign): Dimensions => ({
    campaign,
    campaign_name,
    network,
    partner,
    channel,
  });

  const byDayN = dimensions.includes('day_n');
  const asks = (metric: string) => metrics.includes(metric);
  const numbered = (...kinds: string[]) =>
    metrics.flatMap((metric) => {
      const [, kind = '', n] = /^([a-z_]+)_d(\d+)$/.exec(metric) ?? [];
      return kinds.includes(kind) ? [Number(n)] : [];
    });
  const cohortDays = numbered('ltv', 'roas');
  const cohortDay = Math.max(0, ...cohortDays);
  const retentionDays = numbered('retention', 'classic_retention', 'rolling_retention', 'conversion', 'mature');

  const findStart = (journey: Journey, values: Dimensions, startDay: string, age: number) => {
    const kinds = { install: 'installs', reinstall: 'reinstalls', reengagement: 'reengagements' } as const;
    const numbers = byDayN ? Array.from({ length: Math.max(0, Math.min(91, age)) }, (_, n) => n) : [0];
    for (const n of numbers) {
      const group = readGroup({
        ...values,
        ...times(startDay),
        hour: `${startDay} ${readHour(world.timezone, journey.time)}`,
        day_n: String(n),
      });
      group.add('starts', 1);
      if (journey.campaign_id !== 0) group.add('credited starts', 1);
      group.add(kinds[journey.kind as keyof typeof kinds], 1);
      group.add('suspicious', journey.suspicious ? 1 : 0);
      group.add('click_through', journey.touch_type === 'click' ? 1 : 0);
      group.add('view_through', ['impression', 'ctv_impression'].includes(journey.touch_type) ? 1 : 0);
    }
  };
  const readCohort = (journey: Journey, values: Dimensions, startDay: string, age: number) => {
    const group = readGroup({ ...values, ...times(startDay) });
    const after = journey.own
      .filter((event) => !['install', 'uninstall', 'refund'].includes(event.type))
      .map((event) => dayNumber(day(event.time)) - dayNumber(startDay));
    for (const n of new Set(retentionDays)) {
      if (age <= n) continue;
      group.add(`mature ${n}`, 1);
      group.add(`retention_d${n}`, after.some((offset) => offset >= 1 && offset <= n) ? 1 : 0);
      group.add(`classic_retention_d${n}`, after.includes(n) ? 1 : 0);
      const isSignedUp = journey.own.some(
        ({ type, time }) => type === 'signup' && dayNumber(day(time)) - dayNumber(startDay) <= n,
      );
      group.add(`conversion_d${n}`, isSignedUp ? 1 : 0);
      group.add(`rolling_retention_d${n}`, after.some((offset) => offset >= n) ? 1 : 0);
    }
    if (age <= cohortDay) return;
    group.add('cohort', 1);
    for (const n of new Set(cohortDays))
      for (const event of journey.own)
        if (isMoney(event) && dayNumber(day(event.time)) - dayNumber(startDay) <= n) {
          const worth = converted(group, (own) => own.worth(event));
          group.add(`earned ${n}`, worth);
          if (journey.campaign_id !== 0) group.add(`credited ${n}`, worth);
        }
  };
  const happened = (journey: Journey, values: Dimensions, startDay: string, age: number) => {
    for (const event of journey.own) {
      const own = day(event.time);
      const n = dayNumber(own) - dayNumber(startDay);
      const counts = byDayN ? inRange(startDay) && n >= 0 && n <= 90 && n < age : inRange(own);
      if (!counts) continue;
      const group = readGroup({ ...values, ...times(own), day_n: String(n) });
      group.note('active_users', journey.head);
      if (event.type === 'signup') group.add('signups', 1);
      if (event.type === 'signup' && journey.campaign_id !== 0) group.add('credited signups', 1);
      if (event.type === 'uninstall') group.add('uninstalls', 1);
      if (event.type === 'payment') group.add('payments', 1);
      if (event.type === 'refund') {
        group.add('refunds', 1);
        if (asks('refund_amount'))
          group.add('refund_amount', converted(group, (by) => by.worth(event)).times(new Fraction(-1n)));
      }
      if (isMoney(event) && metrics.some((metric) => /^(credited )?revenue$/.test(readParts(metric).part))) {
        const worth = converted(group, (by) => by.worth(event));
        group.add('revenue', worth);
        if (journey.campaign_id !== 0) group.add('credited revenue', worth);
      }
      if (event.type !== 'event') continue;
      group.add(`event:${event.name}`, 1);
      const user = event.user_id ? `user ${event.user_id}` : journey.user ? `user ${journey.user}` : journey.head;
      group.note(`event_users:${event.name}`, user);
      if (event.amount !== undefined && asks(`event_amount:${event.name}`))
        group.add(
          `event_amount:${event.name}`,
          converted(group, (by) => by.worth(event)),
        );
    }
  };

  for (const journey of readJourneys(world)[view]) {
    const campaign = readCampaign(journey.campaign_id);
    if (!campaign) continue;
    const startDay = day(journey.time);
    const values = {
      ...fields(campaign),
      ad_set: journey.ad_set_id,
      ad: journey.ad_id,
      keyword: journey.keyword_id,
      platform: journey.platform,
      touch_type: journey.touch_type,
      app: journey.app_id,
      rule: journey.rule,
      ...starts(startDay),
    };
    if (!passes(values)) continue;
    const age = today - dayNumber(startDay);
    if (inRange(startDay)) findStart(journey, values, startDay, age);
    if (inRange(startDay) && retentionDays.length + cohortDays.length > 0) readCohort(journey, values, startDay, age);
    happened(journey, values, startDay, age);
  }
  addSpend();
  addClicks();

  /** Rows by platform are those of each platform, and those that name none; by keyword those that name one. */
  function addSpend(): void {
    const wants = [...OF_SPEND, 'impressions', 'clicks', ...cohortDays.map((n) => `roas_d${n}`)];
    if (!metrics.some((metric) => wants.includes(metric))) return;
    if (used.some((dimension) => UNTOLD_BY_NETWORKS.includes(dimension))) return;
    const scopes = used.includes('platform') ? ['', 'IOS', 'ANDROID'] : [undefined];
    const rows = used.includes('keyword')
      ? world.spend.filter((row) => row.keyword_id !== '')
      : scopes.flatMap((scope) =>
          scope
            ? countedSpend(world.spend.filter((row) => row.platform === scope))
            : countedSpend(world.spend).filter((row) => scope === undefined || row.platform === ''),
        );
    for (const row of rows) {
      const campaign = readCampaign(row.campaign_id);
      if (!campaign || !inRange(row.date)) continue;
      const values = {
        ...fields(campaign),
        ad_set: row.ad_set_id,
        ad: row.ad_id,
        keyword: row.keyword_id,
        platform: row.platform,
      };
      if (!passes(values)) continue;
      const group = readGroup({ ...values, ...times(row.date) });
      const isNetworks = world.campaigns.find((one) => one.id === row.campaign_id)?.isNetworks;
      if (isNetworks) group.add('clicks', row.clicks);
      if (metrics.some((metric) => OF_SPEND.includes(metric)))
        group.add(
          'spend',
          converted(group, (by) => by.convert(Fraction.of(row.spend), row.currency, row.date)),
        );
      if (metrics.some((metric) => /^roas_d/.test(metric)) && today - dayNumber(row.date) > cohortDay)
        group.add(
          'cohort spend',
          converted(group, (by) => by.convert(Fraction.of(row.spend), row.currency, row.date)),
        );
    }
  }

  function addClicks(): void {
    for (const click of world.clicks) {
      const campaign = readCampaign(click.campaign_id);
      const own = day(click.time);
      if (!campaign || !inRange(own) || world.campaigns.find((one) => one.id === click.campaign_id)?.isNetworks)
        continue;
      const values = { ...fields(campaign), ad_set: '', ad: '', keyword: '', platform: click.platform };
      if (!passes(values)) continue;
      readGroup({ ...values, ...times(own), hour: `${own} ${readHour(world.timezone, click.time)}` }).add('clicks', 1);
    }
  }

  /** Clicks that ad networks counted, where they cannot be told apart as it is asked. */
  const hiding =
    metrics.includes('clicks') && used.some((dimension) => ['country', 'hour'].includes(dimension))
      ? countedSpend(world.spend).flatMap(({ campaign_id, date, clicks }) => {
          const campaign = readCampaign(campaign_id);
          const isNetworks = world.campaigns.find((one) => one.id === campaign_id)?.isNetworks;
          return campaign && isNetworks && clicks > 0 && inRange(date) ? [fields(campaign)] : [];
        })
      : [];
  const hidden = hiding.filter((values) =>
    filters.filter(([, dimension]) => dimension in values).every((filter) => passesOne(filter, values)),
  );
  const hidesIn = (key: readonly string[]) =>
    hidden.some((values) => dimensions.every((name, at) => values[name] === undefined || values[name] === key[at]));
  if (dimensions.length === 0 && hidden.length > 0) readGroup({});

  const money = CURRENCY_DECIMALS[world.currency] ?? 2;
  const rows = new Map<string, (number | null)[]>();
  for (const [key, group] of groups) {
    const parts = metrics.map(readParts);
    const isHidden = hidesIn(JSON.parse(key) as string[]);
    if (
      !(isHidden && dimensions.length === 0) &&
      !group.lacks &&
      !parts.some(({ part, divisor, less }) =>
        [part, divisor, less].some((one) => one !== undefined && group.of(one).n !== 0n),
      )
    )
      continue;
    rows.set(
      key,
      question.metrics.map((metric) => {
        if (isUnknown(metric) || (metric === 'clicks' && isHidden)) return null;
        const { part, divisor, less, percent, decimals } = readParts(metric);
        if (less)
          return Number(
            group
              .of(part)
              .plus(group.of(less).times(new Fraction(-1n)))
              .text(money),
          );
        const whole = divisor ? group.of(divisor) : new Fraction(1n);
        if (whole.n === 0n) return null;
        const value = percent ? group.of(part).times(new Fraction(100n)) : group.of(part);
        return Number(value.over(whole).text(isMoneyMetric(metric) ? money : decimals));
      }),
    );
  }
  return { rows, unconverted: [...unconverted].sort() };
}

const isMoney = (event: ModelEvent) => event.type === 'payment' || event.type === 'refund';
