/**
 * A reference model of web queries (docs/contract/queries.md), in plain loops over the events that web-model.ts has
 * credited: every event is put into the group that it belongs to, and each group counts what it has.
 */
import type { OwnSites } from '../../../src/web-channels/classify';
import {
  credit,
  DIRECT,
  readKeys,
  PURCHASES,
  SIGNUPS,
  readTouch,
  type Credited,
  type ModelCampaign,
  type ModelEvent,
} from './web-model';

export interface WebQuestion {
  readonly source: 'web';
  readonly model?: 'last_touch' | 'first_touch';
  readonly metrics: readonly string[];
  readonly dimensions?: readonly string[];
  readonly filters?: readonly (readonly [string, string, readonly string[]])[];
  readonly from: string;
  readonly to: string;
}

/** Money spent on a day with an ad network's campaign, in cents. */
export interface ModelSpend {
  readonly date: string;
  readonly network: string;
  readonly network_campaign_id: string;
  readonly ad_set_id: string;
  readonly cents: number;
}

/** What an address and a user agent are known as. */
export interface Origin {
  readonly country: string;
  readonly device: string;
  readonly browser: string;
  readonly os: string;
}

export interface WebWorld {
  /** In the order in which they were accepted. */
  readonly accepted: readonly ModelEvent[];
  readonly campaigns: readonly ModelCampaign[];
  readonly spend: readonly ModelSpend[];
  readonly own: OwnSites;
  readonly timezone: string;
  readonly isBot: (ua: string) => boolean;
  readonly readOrigin: (event: ModelEvent) => Origin;
}

interface Session {
  readonly seconds: number;
  readonly hits: number;
  readonly fields: Readonly<Record<string, string>>;
}

interface Hit {
  readonly event: ModelEvent;
  readonly visitor: string;
  readonly session: string;
  readonly of: Session;
}

interface Group {
  readonly hits: Hit[];
  cents: number;
}

const readHost = (url: string) => new URL(url).hostname;
const bare = (host: string) => host.replace(/^www\./, '');
const readPage = (url: string) => `${readHost(url)}${new URL(url).pathname}`;

function readReferrer(event: ModelEvent): string {
  if (!event.referrer || bare(readHost(event.referrer)) === bare(readHost(event.url))) return '';
  const { pathname } = new URL(event.referrer);
  return `${bare(readHost(event.referrer))}${pathname === '/' ? '' : pathname}`;
}

/** The sessions of one visitor, by their IDs. */
function readSessions(events: readonly ModelEvent[], world: WebWorld): Map<string, Session> {
  const sessions = new Map<string, Session>();
  for (const id of new Set(events.map((event) => event.session_id))) {
    const own = events.filter((event) => event.session_id === id);
    const ms = (event: ModelEvent) => Date.parse(event.time);
    const byId = (a: ModelEvent, b: ModelEvent) => (a.event_id < b.event_id ? -1 : 1);
    const isDirect = (event: ModelEvent) => Number(readTouch(event, world.own) === DIRECT);
    own.sort((a, b) => ms(a) - ms(b) || isDirect(a) - isDirect(b) || byId(a, b));
    const [first] = own;
    const pages = own.filter((event) => event.type === 'page_view');
    const [landing, exit] = [pages[0], pages.at(-1)];
    sessions.set(id, {
      seconds: (Math.max(...own.map(ms)) - Math.min(...own.map(ms))) / 1000,
      hits: own.length,
      fields: {
        referrer: readReferrer(first as ModelEvent),
        landing_page: landing ? readPage(landing.url) : '',
        exit_page: exit ? readPage(exit.url) : '',
        ...world.readOrigin(first as ModelEvent),
      },
    });
  }
  return sessions;
}

const WEEK_MS = 604_800_000;
/** Monday, January 5, 1970. */
const FIRST_MONDAY = 345_600_000;
function readTimes(day: string, hour: string): Readonly<Record<string, string>> {
  const ms = Date.parse(day);
  const monday = ms - ((((ms - FIRST_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS);
  return { day, week: new Date(monday).toISOString().slice(0, 10), month: day.slice(0, 7), hour: `${day} ${hour}` };
}

function passes(question: WebQuestion, fields: Readonly<Record<string, string>>): boolean {
  return (question.filters ?? []).every(([operator, dimension, values]) => {
    const value = fields[dimension] ?? '';
    const contained = values.some((part) => value.toLowerCase().includes(part.toLowerCase()));
    const isOne = values.some((one) => one.toLowerCase() === value.toLowerCase());
    if (operator === 'is') return isOne;
    if (operator === 'is_not') return !isOne;
    return operator === 'contains' ? contained : !contained;
  });
}

/** The metrics of each group that has anything, by its dimensions as a JSON array. */
export function modelWebQuery(world: WebWorld, question: WebQuestion): Map<string, (number | null)[]> {
  const { model = 'last_touch', dimensions = [], from, to } = question;
  const used = [...dimensions, ...(question.filters ?? []).map(([, dimension]) => dimension)];
  const isUnknown = (metric: string) =>
    OF_SPEND.includes(metric) && used.some((dimension) => !TOLD_BY_NETWORKS.includes(dimension));
  const known = question.metrics.filter((metric) => !isUnknown(metric));
  const groups = new Map<string, Group>();
  const readGroup = (fields: Readonly<Record<string, string>>) => {
    const key = JSON.stringify(dimensions.map((dimension) => fields[dimension] ?? ''));
    const group = groups.get(key) ?? { hits: [], cents: 0 };
    groups.set(key, group);
    return group;
  };
  const readCampaign = (key: string) =>
    key === '' ? undefined : world.campaigns.find((campaign) => readKeys(campaign).includes(key));
  const shownAs = (key: string) => {
    const campaign = readCampaign(key);
    return campaign?.network === 'META' && campaign.network_campaign_id ? campaign.network_campaign_id : key;
  };
  const local = (ms: number) =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: world.timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(ms);

  const byId = new Map<string, ModelEvent>();
  for (const event of world.accepted) if (!byId.has(event.event_id)) byId.set(event.event_id, event);
  const visitors = new Map<string, ModelEvent[]>();
  for (const event of byId.values())
    if (!world.isBot(event.ua ?? ''))
      visitors.set(event.visitor_id, [...(visitors.get(event.visitor_id) ?? []), event]);

  const visited = new Map<ModelCampaign, Set<string>>();
  for (const event of byId.values()) {
    const touch = readTouch(event, world.own);
    const campaign = readCampaign(touch.key);
    const fields = touchFields(touch, shownAs(touch.key), campaign);
    if (campaign && passes(onlyTouches(question), fields))
      visited.set(campaign, (visited.get(campaign) ?? new Set()).add(shownAs(touch.key)));
  }

  for (const [visitor, events] of visitors) {
    const sessions = readSessions(events, world);
    for (const credited of credit(events, world.own)) {
      const touch = credited[model];
      const { event, ms }: Credited = credited;
      const campaign = readCampaign(touch.key);
      if (campaign?.pauses?.some((pause) => ms > pause.from && (pause.until === null || ms < pause.until))) continue;
      const [day = '', time = ''] = local(ms).split(' ');
      if (day < from || day > to) continue;
      const of = sessions.get(event.session_id) as Session;
      const fields = {
        ...touchFields(touch, shownAs(touch.key), campaign),
        ...of.fields,
        page: readPage(event.url),
        ...readTimes(day, time.slice(0, 2)),
      };
      if (passes(question, fields))
        readGroup(fields).hits.push({ event, visitor, session: JSON.stringify([visitor, event.session_id]), of });
    }
  }

  if (known.some((metric) => OF_SPEND.includes(metric)))
    for (const spent of world.spend) {
      if (spent.date < from || spent.date > to) continue;
      const campaign = world.campaigns.find((one) => one.network_campaign_id === spent.network_campaign_id);
      if (!campaign) continue;
      const fields = (id: string) => ({
        campaign: id,
        campaign_name: campaign.name,
        channel: spent.network.toLowerCase(),
        network_campaign: spent.network_campaign_id,
        ad_set: spent.ad_set_id,
        ad: '',
        ...readTimes(spent.date, ''),
      });
      const ids = [...(visited.get(campaign) ?? [spent.network_campaign_id])].filter((id) =>
        passes(question, fields(id)),
      );
      for (const id of dimensions.includes('campaign') ? ids : ids.slice(0, 1))
        readGroup(fields(id)).cents += spent.cents;
    }

  return new Map(
    [...groups].flatMap(([key, group]) => {
      const parts = known.map((metric) => readParts(group, metric));
      if (parts.every(([part, divisor]) => part === 0 && (divisor === undefined || divisor === 0))) return [];
      return [[key, question.metrics.map((metric) => (isUnknown(metric) ? null : readValue(group, metric)))]] as const;
    }),
  );
}

const touchFields = (touch: ReturnType<typeof readTouch>, id: string, campaign: ModelCampaign | undefined) => ({
  campaign: id,
  campaign_name: campaign?.name ?? id,
  channel: touch.channel,
  source: touch.source,
  medium: touch.utm_medium,
  network_campaign: touch.network_campaign,
  ad_set: touch.ad_set,
  ad: touch.ad,
});

const OF_SPEND = ['spend', 'roas', 'cpa'];
const TOLD_BY_NETWORKS = [
  ...['campaign', 'campaign_name', 'channel', 'network_campaign', 'ad_set', 'ad', 'day', 'week', 'month'],
];
const OF_TOUCHES = ['campaign', 'campaign_name', 'channel', 'source', 'medium', 'network_campaign', 'ad_set', 'ad'];
const onlyTouches = (question: WebQuestion): WebQuestion => ({
  ...question,
  filters: (question.filters ?? []).filter(([, dimension]) => OF_TOUCHES.includes(dimension)),
});

/** The two numbers that a metric is made of; a count has no divisor. Money in cents, time in milliseconds. */
function readParts({ hits, cents }: Group, metric: string): [part: number, divisor?: number] {
  const unique = (values: string[]) => new Set(values).size;
  const named = (names: readonly string[]) =>
    hits.filter(({ event }) => event.type === 'event' && names.includes((event.name ?? '').toLowerCase()));
  const sessions = [...new Map(hits.map((hit) => [hit.session, hit.of])).values()];
  const signups = named(SIGNUPS);
  // In thousandths, so that sums are exact.
  const revenue = named(PURCHASES).reduce((sum, { event }) => sum + Math.round((event.revenue ?? 0) * 1000), 0);
  switch (metric) {
    case 'visitors':
      return [unique(hits.map((hit) => hit.visitor))];
    case 'sessions':
      return [sessions.length];
    case 'page_views':
      return [hits.filter(({ event }) => event.type === 'page_view').length];
    case 'bounce_rate':
      return [sessions.filter((session) => session.hits === 1).length, sessions.length];
    case 'session_seconds':
      return [sessions.reduce((sum, session) => sum + Math.round(session.seconds * 1000), 0), sessions.length];
    case 'signups':
      return [signups.length];
    case 'conversion':
      return [unique(signups.map((hit) => hit.visitor)), unique(hits.map((hit) => hit.visitor))];
    case 'purchases':
      return [named(PURCHASES).length];
    case 'revenue':
      return [revenue];
    case 'spend':
      return [cents];
    case 'cpa':
      return [cents, signups.length];
    case 'roas':
      return [revenue, cents];
    default:
      return [hits.filter(({ event }) => event.type === 'event' && `event:${event.name}` === metric).length];
  }
}

const FACTORS: Readonly<Record<string, [factor: number, decimals: number]>> = {
  bounce_rate: [100, 2],
  conversion: [100, 2],
  session_seconds: [1 / 1000, 2],
  revenue: [1 / 1000, 2],
  spend: [1 / 100, 2],
  cpa: [1 / 100, 2],
  roas: [1 / 10, 4],
};

function readValue(group: Group, metric: string): number | null {
  const [part, divisor] = readParts(group, metric);
  if (divisor === 0) return null;
  const [factor, decimals] = FACTORS[metric] ?? [1, 0];
  // Halves are rounded away from zero; the small part takes away what doubles lack of one.
  const value = (part / (divisor ?? 1)) * factor;
  return Math.sign(value) * (Math.round(Math.abs(value) * 10 ** decimals + 1e-7) / 10 ** decimals);
}
