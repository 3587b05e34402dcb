/** Combines the rows of several queries into all figures of a campaign, ad set, ad or keyword. */
import { Decimal, ZERO } from '../decimal';
import type { QueryBudget } from '../reporting/query-budget';
import * as queries from './queries';
import type { Count, Key, Scope } from './queries';

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
const keyOf = ({ campaign_id, ad_set, ad, keyword }: Key) => JSON.stringify([campaign_id, ad_set, ad, keyword]);

export const noFigures = (key: Key): Figures => ({
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

/** Figures by campaign, ad set, ad and keyword, and the currencies that have no rate. */
export class FiguresTable {
  private readonly byKey = new Map<string, Figures>();
  /** Whether the ad sets of this table may have ads and keywords, as their own rows tell. */
  mayHaveAds = false;
  mayHaveKeywords = false;

  constructor(
    private readonly budget: QueryBudget,
    readonly unconverted: Set<string>,
  ) {}

  /** Installs, conversions, revenue, spend and clicks. */
  async addBase(scope: Scope): Promise<void> {
    // Spend and clicks are small. Two queries that read every journey would need twice the memory, so revenue comes
    // after.
    const [counted, spent, clicked] = await Promise.all([
      queries.readFigures(this.budget, scope),
      queries.readSpend(this.budget, scope),
      queries.readClicks(this.budget, scope),
    ]);
    for (const row of counted) {
      const figures = this.of(row);
      figures.isNamed = true;
      Object.assign(figures.counts, row);
      this.mayHaveAds ||= row.has_ads === 1;
      this.mayHaveKeywords ||= row.has_keywords === 1;
      figures.names = {
        adSet: row.ad_set_name,
        ad: row.ad_name,
        adType: row.ad_type,
        keyword: row.keyword_name,
      };
    }
    for (const row of spent) {
      const figures = this.of(row);
      figures.isNamed = true;
      figures.spend = money(row.spend);
      this.mayHaveAds = this.mayHaveKeywords = true;
      Object.assign(figures.reported, { clicks: row.clicks, recent: row.recent_clicks });
      const { adSet, ad, adType, keyword } = figures.names;
      figures.names = {
        adSet: row.ad_set_name || adSet,
        ad: row.ad_name || ad,
        adType,
        keyword: row.keyword_name || keyword,
      };
      this.addUnconverted(row.unconverted);
    }
    for (const row of await queries.readRevenue(this.budget, { ...scope, by_type: false, types: [] })) {
      const figures = this.of(row);
      figures.payments = row.payments;
      figures.revenue = money(row.revenue);
      figures.cohortRevenue = [row.cohort_0, row.cohort_3, row.cohort_7, row.cohort_30].map(money);
      this.addUnconverted(row.unconverted);
    }
    for (const row of clicked) Object.assign(this.of(row).tracked, { clicks: row.clicks, recent: row.recent_clicks });
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

  /** Tracked clicks of the part of a day with which the window of active users begins. */
  async addClicksSince(scope: Scope): Promise<void> {
    for (const { campaign_id, clicks } of await queries.readClicksSince(this.budget, scope)) {
      this.of({ campaign_id, ad_set: '', ad: '', keyword: '' }).tracked.recent += clicks;
    }
  }

  campaign(campaign_id: number): Figures {
    return (
      this.byKey.get(keyOf({ campaign_id, ad_set: '', ad: '', keyword: '' })) ??
      noFigures({ campaign_id, ad_set: '', ad: '', keyword: '' })
    );
  }

  all(): readonly Figures[] {
    return [...this.byKey.values()];
  }

  private of(row: Key): Figures {
    const key = keyOf(row);
    let figures = this.byKey.get(key);
    if (!figures) this.byKey.set(key, (figures = noFigures(row)));
    return figures;
  }

  private addUnconverted(currencies: readonly string[]): void {
    for (const currency of currencies) this.unconverted.add(currency);
  }
}
