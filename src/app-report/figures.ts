/** Combines the rows of several queries into all figures of campaigns, ad sets, ads and keywords. */
import { Decimal, ZERO } from '../decimal';
import type { QueryBudget } from '../reporting/query-budget';
import * as queries from './queries';
import type { Count, Key, Level, Scope } from './queries';

/** The names of events and revenue types that a report shows, of those that the project knows. */
export interface Columns {
  readonly events: readonly string[];
  readonly payments: readonly string[];
  readonly unique: readonly string[];
}

/** Everything that a report says of one row; money in the project's currency. */
export interface Figures extends Key {
  /** Whether spend rows or attributed installs name it; clicks alone do not. */
  isNamed: boolean;
  readonly counts: Partial<Record<Count, number>>;
  /** Of tracked clicks, and of what the ad network counted. */
  readonly tracked: { clicks: number; recent: number };
  readonly reported: { clicks: number; recent: number };
  names: { adSet: string; ad: string; adType: string; keyword: string };
  payments: number;
  revenue: Decimal;
  /** Revenue of the cohort up to days 0, 3, 7 and 30. */
  cohortRevenue: readonly Decimal[];
  spend: Decimal;
  readonly events: Map<string, { count: number; amount: Decimal | undefined }>;
  readonly paymentTypes: Map<string, { count: number; total: Decimal }>;
}

const MONEY_ROUNDS = 4;
const money = (text: string) => new Decimal(text);
const keyOf = ({ level, campaign_id, ad_set, ad, keyword }: Key) =>
  JSON.stringify([level, campaign_id, ad_set, ad, keyword]);
const keyOfCampaign = (campaign_id: number): Key => ({
  level: 'campaign',
  campaign_id,
  ad_set: '',
  ad: '',
  keyword: '',
});

export const noFigures = (key: Key): Figures => ({
  level: key.level,
  campaign_id: key.campaign_id,
  ad_set: key.ad_set,
  ad: key.ad,
  keyword: key.keyword,
  isNamed: false,
  counts: {},
  tracked: { clicks: 0, recent: 0 },
  reported: { clicks: 0, recent: 0 },
  names: { adSet: '', ad: '', adType: '', keyword: '' },
  payments: 0,
  revenue: ZERO,
  cohortRevenue: Array.from({ length: MONEY_ROUNDS }, () => ZERO),
  spend: ZERO,
  events: new Map(),
  paymentTypes: new Map(),
});

/** Figures by level, campaign, ad set, ad and keyword, and the currencies that have no rate. */
export class FiguresTable {
  private readonly byKey = new Map<string, Figures>();
  readonly unconverted = new Set<string>();

  constructor(private readonly budget: QueryBudget) {}

  /** Installs, conversions, revenue, spend and clicks. */
  async addBase(scope: Scope): Promise<void> {
    await Promise.all([
      this.addJourneys(scope),
      this.addSpend(scope),
      this.addClicks(scope),
      ...(scope.levels.includes('campaign') ? [this.addClicksSince(scope)] : []),
    ]);
  }

  /** Two queries that read every journey would need twice the memory: one comes after the other. */
  private async addJourneys(scope: Scope): Promise<void> {
    for (const row of await queries.readFigures(this.budget, scope)) {
      const figures = this.of(row);
      figures.isNamed = true;
      Object.assign(figures.counts, row);
      this.addNames(figures, row, false);
    }
    for (const row of await queries.readRevenue(this.budget, { ...scope, by_type: false, types: [] })) {
      const figures = this.of(row);
      figures.payments = row.payments;
      figures.revenue = money(row.revenue);
      figures.cohortRevenue = [row.cohort_0, row.cohort_3, row.cohort_7, row.cohort_30].map(money);
      this.addUnconverted(row.unconverted);
    }
  }

  private async addSpend(scope: Scope): Promise<void> {
    for (const row of await queries.readSpend(this.budget, scope)) {
      const figures = this.of(row);
      figures.isNamed = true;
      figures.spend = money(row.spend);
      Object.assign(figures.reported, { clicks: row.clicks, recent: row.recent_clicks });
      this.addNames(figures, { ...row, ad_type: '' }, true);
      this.addUnconverted(row.unconverted);
    }
  }

  private async addClicks(scope: Scope): Promise<void> {
    for (const row of await queries.readClicks(this.budget, scope)) {
      const { tracked } = this.of(row);
      tracked.clicks += row.clicks;
      tracked.recent += row.recent_clicks;
    }
  }

  /** Tracked clicks of the part of a day with which the window of active users begins. */
  private async addClicksSince(scope: Scope): Promise<void> {
    for (const { campaign_id, clicks } of await queries.readClicksSince(this.budget, scope))
      this.of(keyOfCampaign(campaign_id)).tracked.recent += clicks;
  }

  /** The events and revenue types that were asked for. */
  async addColumns(scope: Scope, columns: Columns): Promise<void> {
    if (columns.events.length > 0) {
      const unique = new Set(columns.unique);
      for (const row of await queries.readEvents(this.budget, {
        ...scope,
        names: columns.events,
        unique_names: columns.unique,
      })) {
        this.of(row).events.set(row.name, { count: unique.has(row.name) ? row.users : row.events, amount: undefined });
      }
      for (const row of await queries.readEventAmounts(this.budget, { ...scope, names: columns.events })) {
        const { events } = this.of(row);
        events.set(row.name, { count: events.get(row.name)?.count ?? 0, amount: money(row.amount) });
        this.addUnconverted(row.unconverted);
      }
    }
    if (columns.payments.length > 0) {
      for (const row of await queries.readRevenue(this.budget, { ...scope, by_type: true, types: columns.payments })) {
        this.of(row).paymentTypes.set(row.type, { count: row.payments, total: money(row.revenue) });
        this.addUnconverted(row.unconverted);
      }
    }
  }

  campaign(campaign_id: number): Figures {
    const key = keyOfCampaign(campaign_id);
    return this.byKey.get(keyOf(key)) ?? noFigures(key);
  }

  /** What spend rows or attributed installs name at a level. */
  named(level: Level): readonly Figures[] {
    return [...this.byKey.values()].filter((row) => row.level === level && row.isNamed);
  }

  private of(row: Key): Figures {
    const key = keyOf(row);
    let figures = this.byKey.get(key);
    if (!figures) this.byKey.set(key, (figures = noFigures(row)));
    return figures;
  }

  /** Names that spend gives count before those of installs, whichever came first. */
  private addNames(
    figures: Figures,
    row: Record<'ad_set_name' | 'ad_name' | 'ad_type' | 'keyword_name', string>,
    ofSpend: boolean,
  ): void {
    const { adSet, ad, adType, keyword } = figures.names;
    const choose = (known: string, name: string) => (ofSpend ? name || known : known || name);
    figures.names = {
      adSet: choose(adSet, row.ad_set_name),
      ad: choose(ad, row.ad_name),
      adType: choose(adType, row.ad_type),
      keyword: choose(keyword, row.keyword_name),
    };
  }

  private addUnconverted(currencies: readonly string[]): void {
    for (const currency of currencies) this.unconverted.add(currency);
  }
}
