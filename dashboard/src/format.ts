/** Numbers, money and times as people read them: in the project's currency, time zone and locale. */
import type { Kind } from './texts';
import { texts } from './texts';

/** The default: for projects that name no locale, and for pages without a project. */
export const LOCALE = 'en-US';
const WHOLE_FROM = 1000;
/** From here on large type has no room for all digits. */
const COMPACT_FROM = 1_000_000;
const COMPACT_COUNT_FROM = 100_000_000;

export interface Formats {
  readonly currency: string;
  readonly timezone: string;
  readonly locale: string;
  /** The day on which weeks begin: 1 is Monday, 7 is Sunday. */
  readonly firstWeekday: number;
  readonly count: (value: number | null | undefined) => string;
  readonly money: (value: number | null | undefined) => string;
  /** The API's percentages are from 0 to 100. */
  readonly percent: (value: number | null | undefined) => string;
  readonly ratio: (value: number | null | undefined) => string;
  /** A ratio in whole percent: 0.83 as 83%. */
  readonly share: (value: number | null | undefined) => string;
  readonly seconds: (value: number | null | undefined) => string;
  /** The API's percentages, without decimals. */
  readonly whole: (value: number | null | undefined) => string;
  /** Short, for axes and small places: 12K, 3.4M. */
  readonly short: (value: number | null | undefined, kind?: Kind) => string;
  /** For large type: of amounts from 1,000 the cents are left out, and millions are short. */
  readonly figure: (kind: Kind, value: number | null | undefined) => string;
  readonly of: (kind: Kind, value: number | null | undefined) => string;
  /** An instant, in the project's zone. */
  readonly time: (instant: string | number | null | undefined) => string;
  /** `2026-03-01` as `Mar 1, 2026`. */
  readonly day: (day: string) => string;
  /** `2026-03-01` as `Mar 1`. */
  readonly shortDay: (day: string) => string;
  /** `Oct 1 – 25`; with years where they are not this one. */
  readonly range: (from: string, to: string) => string;
  /** Days, or hours of a day, as axes have them; with the year where the axis has more than one. */
  readonly axis: (bucket: string, options?: { readonly withYear?: boolean; readonly withDay?: boolean }) => string;
  /** From one value to another, with sign and arrow: in percent, of percentages in points. */
  readonly change: (kind: Kind, value: number, before: number) => string;
  /** With a sign before it, for differences. */
  readonly difference: (kind: Kind, value: number | null | undefined) => string;
}

const orNone =
  <T>(format: (value: T) => string) =>
  (value: T | null | undefined) =>
    value === null || value === undefined ? texts.none : format(value);

/** One minus everywhere, as wide as a plus. */
const MINUS = '−';
const numberFormatter = (locale: string) => (options: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat(locale, options);
  return orNone((value: number) => format.format(value).replace('-', MINUS));
};
/** The instant of a day, month or hour of reports, as UTC. */
const toInstant = (bucket: string) => {
  const [day = '', hour = '00'] = bucket.slice(0, 13).split(/[ T]/);
  return new Date(`${day.length === 7 ? `${day}-01` : day}T${hour}:00:00Z`);
};
const dayFormatter = (locale: string) => (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (bucket: string) => format.format(toInstant(bucket));
};

/** Where weeks begin on Sunday; browsers that know it better are asked. */
const FROM_SUNDAY = 'US CA MX BR CO PE VE AR JP KR TW HK IN PK BD TH ID PH SG IL ZA SA'.split(' ');
function findFirstWeekday(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  const info = known.getWeekInfo?.() ?? known.weekInfo;
  return info?.firstDay ?? (FROM_SUNDAY.includes(known.maximize().region ?? '') ? 7 : 1);
}

function duration(value: number): string {
  const seconds = Math.round(value);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

const made = new Map<string, Formats>();

/** The formats of a currency, a zone and a locale; Intl's are dear to make, so that equal ones are shared. */
export function createFormats(currency: string, timezone: string, locale: string = LOCALE): Formats {
  const key = `${currency} ${timezone} ${locale}`;
  const known = made.get(key) ?? makeFormats(currency, timezone, locale);
  made.set(key, known);
  return known;
}

const UNCHANGED = 0.05;

function makeChange(number: ReturnType<typeof numberFormatter>): Formats['change'] {
  const size = number({ maximumFractionDigits: 1 });
  const percent = number({ style: 'percent', maximumFractionDigits: 1 });
  return (kind, value, before) => {
    const isPoints = kind === 'percent';
    if (before === 0 && !isPoints) return value === 0 ? texts.tools.figure.unchanged : texts.tools.figure.isNew;
    const change = measureChange(kind, value, before);
    if (Math.abs(change) < UNCHANGED) return texts.tools.figure.unchanged;
    const text = isPoints ? texts.tools.figure.points(size(Math.abs(change))) : percent(Math.abs(change) / 100);
    return `${change > 0 ? '↑' : '↓'} ${text}`;
  };
}

/** In percent of what was before; of percentages in points. */
export const measureChange = (kind: Kind, value: number, before: number): number =>
  kind === 'percent' ? value - before : ((value - before) / Math.abs(before)) * 100;

/** Whether a change is worth a colour. */
export const isChange = (change: number): boolean => Math.abs(change) >= UNCHANGED;

function makeDays(locale: string): Pick<Formats, 'day' | 'shortDay' | 'range' | 'axis'> {
  const ofDay = dayFormatter(locale);
  const shortDay = ofDay({ month: 'short', day: 'numeric' });
  const day = ofDay({ dateStyle: 'medium' });
  const month = ofDay({ month: 'short' });
  const monthOfYear = ofDay({ month: 'short', year: 'numeric' });
  const hour = ofDay({ hour: 'numeric', minute: '2-digit' });
  const ranges = ([true, false] as const).map(
    (isShort) =>
      new Intl.DateTimeFormat(locale, {
        month: 'short',
        day: 'numeric',
        ...(!isShort && { year: 'numeric' }),
        timeZone: 'UTC',
      }),
  );
  return {
    day,
    shortDay,
    range: (from, to) => {
      const year = String(new Date().getUTCFullYear());
      const format = ranges[from.startsWith(year) && to.startsWith(year) ? 0 : 1] as Intl.DateTimeFormat;
      return format.formatRange(toInstant(from), toInstant(to));
    },
    axis: (bucket, { withYear = false, withDay = true } = {}) => {
      if (bucket.length === 7) return (withYear ? monthOfYear : month)(bucket);
      if (bucket.length === 10) return (withYear ? day : shortDay)(bucket);
      return withDay ? `${shortDay(bucket)}, ${hour(bucket)}` : hour(bucket);
    },
  };
}

function makeFormats(currency: string, timezone: string, locale: string): Formats {
  const number = numberFormatter(locale);
  const count = number({ maximumFractionDigits: 2 });
  const money = number({ style: 'currency', currency });
  const wholeMoney = number({ style: 'currency', currency, maximumFractionDigits: 0 });
  const short = number({ notation: 'compact', maximumFractionDigits: 1 });
  const shortMoney = number({ style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 });
  const ratio = number({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const parts = number({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = orNone((value: number) => parts(value / 100));
  const share = number({ style: 'percent', maximumFractionDigits: 0 });
  const shortParts = number({ style: 'percent', maximumFractionDigits: 1 });
  const compactMoney = number({ style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 4 });
  const compactCount = number({ notation: 'compact', maximumSignificantDigits: 4 });
  const seconds = orNone(duration);
  const clock = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const kinds = { count, money, percent, ratio, seconds };
  return {
    currency,
    timezone,
    locale,
    firstWeekday: findFirstWeekday(locale),
    ...kinds,
    short: (value, kind = 'count') => {
      if (kind === 'money') return shortMoney(value);
      return kind === 'percent' ? orNone((one: number) => shortParts(one / 100))(value) : short(value);
    },
    figure: (kind, value) => {
      const size = Math.abs(value ?? 0);
      if (kind === 'count' && size >= COMPACT_COUNT_FROM) return compactCount(value);
      if (kind !== 'money' || size < WHOLE_FROM) return kinds[kind](value);
      return size < COMPACT_FROM ? wholeMoney(value) : compactMoney(value);
    },
    of: (kind, value) => kinds[kind](value),
    time: orNone((instant: string | number) => clock.format(new Date(instant))),
    share,
    whole: orNone((value: number) => share(value / 100)),
    ...makeDays(locale),
    change: makeChange(number),
    difference: (kind, value) => `${(value ?? 0) > 0 ? '+' : ''}${kinds[kind](value)}`,
  };
}

const regions = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });

/** `DE` as `Germany`; what is no code stays as it is. */
export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code || texts.unknown;
