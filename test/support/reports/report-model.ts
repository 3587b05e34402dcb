/**
 * A reference model of app reporting (docs/contract/collectors.md and App report) in plain loops and exact fractions,
 * apart from the service's code.
 */

export interface ModelInstall {
  readonly install_id: string;
  readonly time: number;
  readonly app_id: string;
  readonly platform: string;
  readonly reinstall: boolean;
  readonly campaign_id: number;
  readonly touch_type: string;
  readonly suspicious: boolean;
  readonly ad_set_id: string;
  readonly ad_id: string;
  readonly keyword_id: string;
  readonly rule: string;
}
export interface ModelEvent {
  readonly event_id: string;
  readonly install_id: string;
  readonly type: string;
  readonly time: number;
  readonly name?: string;
  readonly payment_type?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly gaid?: string;
  readonly user_id?: string;
  readonly link_campaign_id?: number;
}
export interface ModelSpend {
  readonly campaign_id: number;
  readonly date: string;
  readonly ad_set_id: string;
  readonly ad_id: string;
  readonly keyword_id: string;
  readonly platform: string;
  readonly clicks: number;
  readonly spend: string;
  readonly currency: string;
}
export interface ModelClick {
  readonly campaign_id: number;
  readonly time: number;
  readonly platform: string;
}
export interface World {
  readonly timezone: string;
  readonly currency: string;
  readonly inactivityDays: number;
  readonly now: number;
  readonly installs: readonly ModelInstall[];
  readonly events: readonly ModelEvent[];
  readonly spend: readonly ModelSpend[];
  readonly clicks: readonly ModelClick[];
  readonly rates: readonly { readonly date: string; readonly currency: string; readonly usd: string }[];
  readonly campaigns: readonly { readonly id: number; readonly isNetworks: boolean }[];
}
export interface Params {
  readonly from?: string;
  readonly to?: string;
  readonly view?: string;
  readonly platform?: string;
  readonly events?: readonly string[];
  readonly payments?: readonly string[];
  readonly costs?: readonly string[];
  readonly unique?: readonly string[];
  readonly activeUsers?: number;
}

/** An exact fraction. */
export class Fraction {
  constructor(
    readonly n: bigint,
    readonly d: bigint = 1n,
  ) {}
  static of(text: string): Fraction {
    const [whole = '0', part = ''] = text.split('.');
    return new Fraction(BigInt(whole + part), 10n ** BigInt(part.length));
  }
  plus(o: Fraction) {
    return new Fraction(this.n * o.d + o.n * this.d, this.d * o.d);
  }
  times(o: Fraction) {
    return new Fraction(this.n * o.n, this.d * o.d);
  }
  over(o: Fraction) {
    return new Fraction(this.n * o.d, this.d * o.n);
  }
  /** Rounded half away from zero to so many decimals, as text. */
  text(decimals: number): string {
    const [n, d] = this.d < 0n ? [-this.n, -this.d] : [this.n, this.d];
    const magnitude = ((n < 0n ? -n : n) * 10n ** BigInt(decimals) * 2n + d) / (2n * d);
    const digits = magnitude.toString().padStart(decimals + 1, '0');
    const sign = n < 0n && magnitude > 0n ? '-' : '';
    const fraction = decimals ? `.${digits.slice(-decimals)}` : '';
    return `${sign}${digits.slice(0, digits.length - decimals)}${fraction}`;
  }
}
export const ZERO = new Fraction(0n);

export const readDay = (timezone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(ms);
export const dayNumber = (day: string) => Date.parse(day) / 86_400_000;

export interface Journey extends Omit<ModelInstall, 'install_id' | 'reinstall'> {
  readonly kind: string;
  readonly own: readonly ModelEvent[];
  readonly head: string;
  readonly user: string;
}

/**
 * The journeys of both books: every install with all that followed, every reinstall and re-engagement with what
 * followed until the next.
 */
export function readJourneys(world: World): { user_acquisition: Journey[]; retargeting: Journey[] } {
  const books: { user_acquisition: Journey[]; retargeting: Journey[] } = { user_acquisition: [], retargeting: [] };
  const listEvents = (id: string) => world.events.filter((event) => event.install_id === id);
  const readDevices = (id: string) => new Set(listEvents(id).flatMap((event) => event.gaid ?? []));
  const readHead = (install: ModelInstall): string => {
    if (!install.reinstall) return install.install_id;
    const devices = readDevices(install.install_id);
    const bases = world.installs.filter(
      (one) =>
        !one.reinstall &&
        one.app_id === install.app_id &&
        one.time <= install.time &&
        [...readDevices(one.install_id)].some((device) => devices.has(device)),
    );
    bases.sort((a, b) => b.time - a.time || (a.install_id < b.install_id ? 1 : -1));
    return bases[0]?.install_id ?? install.install_id;
  };
  const members = new Map<string, ModelInstall[]>();
  for (const install of world.installs)
    members.set(readHead(install), [...(members.get(readHead(install)) ?? []), install]);
  for (const [head, installs] of members) {
    const events = installs.flatMap((install) => listEvents(install.install_id)).sort((a, b) => a.time - b.time);
    const named = events.filter((event) => event.user_id);
    const user = (named.filter((event) => event.type === 'signup').at(-1) ?? named.at(-1))?.user_id ?? '';
    const first = installs.find((install) => !install.reinstall);
    if (first) books.user_acquisition.push({ ...first, kind: 'install', own: events, head, user });
    const { platform, app_id } = installs[0] as ModelInstall;
    const nobody = {
      touch_type: '',
      suspicious: false,
      ad_set_id: '',
      ad_id: '',
      keyword_id: '',
      rule: '',
      platform,
      app_id,
    };
    const episodes = [
      ...installs.filter((install) => install.reinstall).map((install) => ({ ...install, kind: 'reinstall' })),
      ...installs.flatMap((install) =>
        listEvents(install.install_id)
          .filter((event) => event.type === 'open' && event.link_campaign_id && event.time >= install.time + 86_400_000)
          .filter(
            (open) =>
              !listEvents(install.install_id).some(
                (event) => event.time < open.time && open.time - event.time < world.inactivityDays * 86_400_000,
              ),
          )
          .map((open) => ({
            ...nobody,
            kind: 'reengagement',
            time: open.time,
            campaign_id: open.link_campaign_id as number,
          })),
      ),
    ].sort((a, b) => a.time - b.time);
    episodes.forEach((episode, i) => {
      const end = episodes[i + 1]?.time ?? Infinity;
      books.retargeting.push({
        ...episode,
        own: events.filter((event) => event.time >= episode.time && event.time < end),
        head,
        user,
      });
    });
  }
  return books;
}

/** The spend rows that count at their level and above: finer ones where there are any. */
export function countedSpend(rows: readonly ModelSpend[]): ModelSpend[] {
  return rows.filter((row) => {
    const sameDay = rows.filter((one) => one.campaign_id === row.campaign_id && one.date === row.date);
    const sameSet = sameDay.filter((one) => one.ad_set_id === row.ad_set_id);
    if (row.ad_id) return true;
    if (row.keyword_id) return !sameSet.some((one) => one.ad_id);
    if (row.ad_set_id) return !sameSet.some((one) => one.ad_id || one.keyword_id);
    return !sameDay.some((one) => one.ad_set_id || one.ad_id || one.keyword_id);
  });
}

/** Converts amounts to the project's currency: zero, and the currency noted, where there is no rate. */
export function converter(world: World, unconverted: Set<string>) {
  const readRate = (currency: string, date: string): Fraction | undefined => {
    if (currency === 'USD') return new Fraction(1n);
    const known = world.rates
      .filter((rate) => rate.currency === currency && rate.date <= date)
      .sort((a, b) => (a.date < b.date ? 1 : -1));
    return known[0] && Fraction.of(known[0].usd);
  };
  const convert = (amount: Fraction, currency: string, date: string): Fraction => {
    if (currency === world.currency) return amount;
    const [from, to] = [readRate(currency, date), readRate(world.currency, date)];
    if (from && to) return amount.times(from).over(to);
    unconverted.add(currency);
    return ZERO;
  };
  const worth = (event: ModelEvent) =>
    convert(
      Fraction.of((event.type === 'refund' ? '-' : '') + (event.amount ?? '0')),
      event.currency ?? '',
      readDay('UTC', event.time),
    );
  return { convert, worth };
}

/**
 * The report's rows by campaign ID: every field that is a figure, in the report's formats, and the currencies without a
 * rate.
 */
export function modelReport(
  world: World,
  params: Params,
): { rows: Map<number, Record<string, unknown>>; unconverted: string[] } {
  const unconverted = new Set<string>();
  const view = (params.view ?? 'user_acquisition') as 'user_acquisition' | 'retargeting';
  const day = (ms: number) => readDay(world.timezone, ms);
  const today = day(world.now);
  const inRange = (date: string) => (!params.from || date >= params.from) && (!params.to || date <= params.to);
  const { convert, worth } = converter(world, unconverted);
  const sum = (fractions: readonly Fraction[]) => fractions.reduce((total, one) => total.plus(one), ZERO);
  const money = (amount: Fraction) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: world.currency }).format(
      amount.text(2) as unknown as number,
    );
  const count = (n: number) => new Intl.NumberFormat('en-US').format(n);
  const percent = (part: number, whole: number) => new Fraction(BigInt(part) * 100n, BigInt(whole)).text(2);

  const book = readJourneys(world)[view].filter(
    (journey) => !params.platform || journey.platform === params.platform.toUpperCase(),
  );
  const spendRows = world.spend.filter((row) => !params.platform || row.platform === params.platform.toUpperCase());
  const counted = countedSpend(spendRows);
  const clicks = world.clicks.filter((click) => !params.platform || click.platform === params.platform.toUpperCase());
  const since = world.now - (params.activeUsers ?? 7) * 86_400_000;
  const known = (names: readonly string[], of: (event: ModelEvent) => string | undefined) =>
    [...new Set(names)].filter((name) => world.events.some((event) => of(event) === name));
  const readName = (event: ModelEvent) => (event.type === 'event' ? event.name : undefined);
  const readType = (event: ModelEvent) =>
    event.type === 'payment' || event.type === 'refund' ? (event.payment_type ?? 'DEFAULT') : undefined;

  const metrics = (
    journeys: readonly Journey[],
    spent: readonly ModelSpend[],
    tracked: readonly ModelClick[],
    isNetworks: boolean,
  ): Record<string, unknown> => {
    const cohort = journeys.filter((journey) => inRange(day(journey.time)));
    const all = journeys.flatMap((journey) => journey.own.map((event) => ({ ...event, journey })));
    const now = all.filter((event) => inRange(day(event.time)));
    const ended = (journey: Journey, n: number) => dayNumber(today) - dayNumber(day(journey.time)) > n;
    const offsets = (journey: Journey) =>
      journey.own
        .filter((event) => !['install', 'uninstall', 'refund'].includes(event.type))
        .map((event) => dayNumber(day(event.time)) - dayNumber(day(journey.time)));
    const kept = (n: number, isActive: (offset: number) => boolean) => {
      const mature = cohort.filter((journey) => ended(journey, n));
      return mature.length === 0
        ? '-'
        : Number(percent(mature.filter((journey) => offsets(journey).some(isActive)).length, mature.length));
    };
    const paid = now.filter((event) => event.type === 'payment' || event.type === 'refund');
    const revenue = sum(paid.map(worth));
    const spend = sum(
      spent.filter((row) => inRange(row.date)).map((row) => convert(Fraction.of(row.spend), row.currency, row.date)),
    );
    const signups = now.filter((event) => event.type === 'signup').length;
    const installs = cohort.filter((journey) => journey.kind === 'install').length;
    const reinstalls = cohort.filter((journey) => journey.kind === 'reinstall').length;
    const starts = cohort.length;
    const per = (n: number) => (n > 0 ? money(spend.over(new Fraction(BigInt(n)))) : undefined);
    const custom = known([...(params.events ?? []), ...(params.costs ?? []), ...(params.unique ?? [])], readName).map(
      (name) => {
        const own = now.filter((event) => readName(event) === name);
        const priced = own.filter((event) => event.amount !== undefined);
        const users = new Set(
          own.map((event) =>
            event.user_id
              ? `user ${event.user_id}`
              : event.journey.user
                ? `user ${event.journey.user}`
                : `install ${event.journey.head}`,
          ),
        );
        return {
          name,
          count: params.unique?.includes(name) ? users.size : own.length,
          amount: priced.length > 0 ? money(sum(priced.map(worth))) : undefined,
        };
      },
    );
    const types = known([...(params.payments ?? []), ...(params.costs ?? [])], readType).map((name) => {
      const own = paid.filter((event) => readType(event) === name);
      return { name, count: own.filter((event) => event.type === 'payment').length, total: money(sum(own.map(worth))) };
    });
    const clicked = isNetworks
      ? spent.filter((row) => inRange(row.date)).reduce((total, row) => total + row.clicks, 0)
      : tracked.filter((click) => inRange(day(click.time))).length;
    return JSON.parse(
      JSON.stringify({
        clicks: count(clicked),
        installs: count(installs),
        'sign-ups': count(signups),
        conversion: `${starts === 0 ? '0.00' : percent(signups, starts)}%`,
        revenue: money(revenue),
        spend: money(spend),
        revenue_event_count: count(paid.filter((event) => event.type === 'payment').length),
        roas: spend.n === 0n ? undefined : revenue.over(spend).text(2),
        cost_per_install: view === 'user_acquisition' ? per(installs) : undefined,
        cost_per_reinstall: view === 'retargeting' ? per(reinstalls) : undefined,
        cost_per_signup: per(signups),
        custom_events: Object.fromEntries(
          custom.map(({ name, count: n, amount }) => [name, { count: count(n), amount }]),
        ),
        payment_events: Object.fromEntries(
          types.map(({ name, count: n, total }) => [name, { count: count(n), total }]),
        ),
        cost_per_custom_events: Object.fromEntries(
          custom.flatMap(({ name, count: n }) => (params.costs?.includes(name) && n > 0 ? [[name, per(n)]] : [])),
        ),
        cost_per_payment_events: Object.fromEntries(
          types.flatMap(({ name, count: n }) => (params.costs?.includes(name) && n > 0 ? [[name, per(n)]] : [])),
        ),
        retention: Object.fromEntries(
          [1, 7, 14, 30].map((n) => [`d${n}`, kept(n, (offset) => offset >= 1 && offset <= n)]),
        ),
        rolling_retention: Object.fromEntries([1, 7].map((n) => [`d${n}`, kept(n, (offset) => offset >= n)])),
        classic_retention: Object.fromEntries([1, 7, 14, 30].map((n) => [`d${n}`, kept(n, (offset) => offset === n)])),
        daywise_revenue: Object.fromEntries(
          [0, 3, 7, 30].map((n) => {
            const mature = cohort.filter((journey) => ended(journey, n));
            const earned = mature.flatMap((journey) =>
              journey.own.filter(
                (event) =>
                  readType(event) !== undefined && dayNumber(day(event.time)) - dayNumber(day(journey.time)) <= n,
              ),
            );
            return [`d${n}`, mature.length === 0 ? '-' : money(sum(earned.map(worth)))];
          }),
        ),
        reinstalls: view === 'retargeting' ? count(reinstalls) : undefined,
        reengagements: view === 'retargeting' ? count(starts - reinstalls) : undefined,
        uninstalls: count(now.filter((event) => event.type === 'uninstall').length),
        suspicious_installs: count(cohort.filter((journey) => journey.suspicious).length),
        click_through_attribution: count(cohort.filter((journey) => journey.touch_type === 'click').length),
        view_through_attribution: count(
          cohort.filter((journey) => ['impression', 'ctv_impression'].includes(journey.touch_type)).length,
        ),
        active_users: new Set(
          journeys.filter((journey) => journey.own.some((event) => event.time >= since)).map((journey) => journey.head),
        ).size,
        activity_in_last_x_days:
          journeys.filter((journey) => journey.time >= since).length +
          (isNetworks
            ? spent.filter((row) => row.date > day(since)).reduce((total, row) => total + row.clicks, 0)
            : tracked.filter((click) => click.time >= since).length),
      }),
    ) as Record<string, unknown>;
  };
  const pick = (row: Record<string, unknown>, without: readonly string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !without.includes(name)));
  const CAMPAIGN_ONLY = [
    'reinstalls',
    'reengagements',
    'uninstalls',
    'click_through_attribution',
    'view_through_attribution',
    'active_users',
    'activity_in_last_x_days',
    'classic_retention',
  ];

  const rows = new Map(
    world.campaigns.map(({ id, isNetworks }) => {
      const journeys = book.filter((journey) => journey.campaign_id === id);
      const own = counted.filter((row) => row.campaign_id === id);
      const raw = spendRows.filter((row) => row.campaign_id === id);
      const ids = (of: readonly (string | undefined)[]) => [
        ...new Set(of.filter((one): one is string => Boolean(one))),
      ];
      const adSets = ids([...journeys.map((journey) => journey.ad_set_id), ...own.map((row) => row.ad_set_id)]).map(
        (adSet) => {
          const inSet = journeys.filter((journey) => journey.ad_set_id === adSet);
          const ads = ids([
            ...inSet.map((journey) => journey.ad_id),
            ...own.filter((row) => row.ad_set_id === adSet).map((row) => row.ad_id),
          ]);
          const keywords = ids([
            ...inSet.map((journey) => journey.keyword_id),
            ...raw.filter((row) => row.ad_set_id === adSet).map((row) => row.keyword_id),
          ]);
          const part = (of: { ad_id?: string; keyword_id?: string }, spent: readonly ModelSpend[]) =>
            metrics(
              inSet.filter((journey) => (of.ad_id ? journey.ad_id === of.ad_id : journey.keyword_id === of.keyword_id)),
              spent,
              [],
              isNetworks,
            );
          return {
            id: adSet,
            ...pick(
              metrics(
                inSet,
                own.filter((row) => row.ad_set_id === adSet),
                [],
                isNetworks,
              ),
              CAMPAIGN_ONLY,
            ),
            ...(ads.length > 0
              ? {
                  adCreatives: ads.sort().map((id_) => ({
                    id: id_,
                    ...pick(
                      part(
                        { ad_id: id_ },
                        own.filter((row) => row.ad_set_id === adSet && row.ad_id === id_),
                      ),
                      [...CAMPAIGN_ONLY, 'suspicious_installs', 'daywise_revenue'],
                    ),
                  })),
                }
              : {}),
            ...(keywords.length > 0
              ? {
                  keywords: keywords.sort().map((id_) => ({
                    id: id_,
                    ...pick(
                      part(
                        { keyword_id: id_ },
                        raw.filter((row) => row.ad_set_id === adSet && row.keyword_id === id_),
                      ),
                      [...CAMPAIGN_ONLY, 'daywise_revenue'],
                    ),
                  })),
                }
              : {}),
          };
        },
      );
      adSets.sort((a, b) => (a.id < b.id ? -1 : 1));
      return [
        id,
        {
          id,
          ...metrics(
            journeys,
            own,
            clicks.filter((click) => click.campaign_id === id),
            isNetworks,
          ),
          ...(adSets.length > 0 ? { adSets } : {}),
        },
      ] as const;
    }),
  );
  return { rows, unconverted: [...unconverted].sort() };
}
