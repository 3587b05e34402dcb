/** Combines the rows of several queries into all figures of campaigns, ad sets, ads and keywords. */
import { Decimal, ZERO } from '../lib/decimal';
import type { QueryBudget } from '../reporting/query-budget';
import * as questions from './questions';
import type { Count, Key, Level, Scope } from './questions';

/** The names of events and revenue types that a report shows, of those that the project knows. */
export interface Columns {
  readonly events: readonly string[];
  readonly payments: readonly string[];
  readonly unique: readonly string[];
}

/** Everything that a report says of one row; money in the project's currency. */
export interface Figures extends Required<Key> {
  /** Whether spend rows or attributed installs name it; clicks alone do not. */
  isNamed: boolean;
  readonly counts: Partial<Record<Count, number>>;
  /** Tracked clicks, and below them those that the ad network counted. */
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

const money = (text: string) => new Decimal(text);
const encodeKey = ({ level, campaign_id, ad_set = '', ad = '', keyword = '' }: Key) =>
  JSON.stringify([level, campaign_id, ad_set, ad, keyword]);
const keyOfCampaign = (campaign_id: number): Key => ({ level: 'campaign', campaign_id });

export const noFigures = ({ level, campaign_id, ad_set = '', ad = '', keyword = '' }: Key): Figures => ({
  level,
  campaign_id,
  ad_set,
  ad,
  keyword,
  isNamed: false,
  counts: {},
  tracked: { clicks: 0, recent: 0 },
  reported: { clicks: 0, recent: 0 },
  names: { adSet: '', ad: '', adType: '', keyword: '' },
  payments: 0,
  revenue: ZERO,
  cohortRevenue: questions.REVENUE_DAYS.map(() => ZERO),
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
    for (const row of await questions.readCounts(this.budget, scope)) {
      const figures = this.of(row);
      figures.isNamed = true;
      Object.assign(figures.counts, row);
      addNames(figures, row);
    }
    for (const row of await questions.readRevenue(this.budget, scope)) {
      const figures = this.of(row);
      figures.payments = row.payments;
      figures.revenue = money(row.revenue);
      figures.cohortRevenue = questions.REVENUE_DAYS.map((day) => money(row[`revenue_d${day}`]));
      this.addUnconverted(row);
    }
  }

  private async addSpend(scope: Scope): Promise<void> {
    for (const row of await questions.readSpend(this.budget, scope)) {
      const figures = this.of(row);
      figures.isNamed = true;
      figures.spend = money(row.spend);
      Object.assign(figures.reported, { clicks: row.network_clicks, recent: row.recent_clicks });
      addNames(figures, row, true);
      this.addUnconverted(row);
    }
  }

  private async addClicks(scope: Scope): Promise<void> {
    for (const row of await questions.readClicks(this.budget, scope)) {
      const { tracked } = this.of(row);
      tracked.clicks += row.tracked_clicks;
      tracked.recent += row.recent_clicks;
    }
  }

  /** Tracked clicks of the part of a day with which the window of active users begins. */
  private async addClicksSince(scope: Scope): Promise<void> {
    for (const { campaign_id, clicks } of await questions.readClicksSince(this.budget, scope))
      this.of(keyOfCampaign(campaign_id)).tracked.recent += clicks;
  }

  /** The events and revenue types that were asked for. */
  async addColumns(scope: Scope, { events, unique, payments }: Columns): Promise<void> {
    if (events.length > 0) {
      for (const row of await questions.readEvents(this.budget, scope, { events, unique_names: unique })) {
        const times = unique.includes(row.event_name) ? row.users : row.times;
        this.of(row).events.set(row.event_name, { count: times, amount: undefined });
      }
      for (const row of await questions.readEventAmounts(this.budget, scope, events)) {
        const figures = this.of(row).events;
        figures.set(row.event_name, {
          count: figures.get(row.event_name)?.count ?? 0,
          amount: money(row.event_amount),
        });
        this.addUnconverted(row);
      }
    }
    if (payments.length === 0) return;
    for (const row of await questions.readRevenueByType(this.budget, scope, payments)) {
      this.of(row).paymentTypes.set(row.revenue_type, { count: row.payments, total: money(row.revenue) });
      this.addUnconverted(row);
    }
  }

  campaign(campaign_id: number): Figures {
    const key = keyOfCampaign(campaign_id);
    return this.byKey.get(encodeKey(key)) ?? noFigures(key);
  }

  /** What spend rows or attributed installs name at a level. */
  named(level: Level): readonly Figures[] {
    return [...this.byKey.values()].filter((row) => row.level === level && row.isNamed);
  }

  private of(row: Key): Figures {
    const key = encodeKey(row);
    let figures = this.byKey.get(key);
    if (!figures) this.byKey.set(key, (figures = noFigures(row)));
    return figures;
  }

  private addUnconverted({ unconverted }: { readonly unconverted: readonly string[] }): void {
    for (const currency of unconverted) this.unconverted.add(currency);
  }
}

/** Names that spend gives count before those of installs, whichever came first. */
function addNames(figures: Figures, row: questions.Names, ofSpend = false): void {
  const { adSet, ad, adType, keyword } = figures.names;
  const choose = (known: string, [, name = '']: readonly [unknown?, string?] = []) =>
    ofSpend ? name || known : known || name;
  figures.names = {
    adSet: choose(adSet, row.ad_set_named),
    ad: choose(ad, row.ad_named),
    adType: choose(adType, row.ad_typed),
    keyword: choose(keyword, row.keyword_named),
  };
}
