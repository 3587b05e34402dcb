/** Numbers, money and times as people read them: in the project's currency and time zone. */
import type { Kind } from './texts';
import { texts } from './texts';

const LOCALE = 'en-US';
const WHOLE_FROM = 1000;

export interface Formats {
  readonly currency: string;
  readonly timezone: string;
  readonly count: (value: number | null | undefined) => string;
  readonly money: (value: number | null | undefined) => string;
  /** The API's percentages are from 0 to 100. */
  readonly percent: (value: number | null | undefined) => string;
  readonly ratio: (value: number | null | undefined) => string;
  readonly seconds: (value: number | null | undefined) => string;
  /** Short, for axes and small places: 12K, 3.4M. */
  readonly short: (value: number | null | undefined, kind?: Kind) => string;
  /** For large type: of amounts from 1,000 the cents are left out. */
  readonly figure: (kind: Kind, value: number | null | undefined) => string;
  readonly of: (kind: Kind, value: number | null | undefined) => string;
  /** An instant, in the project's zone. */
  readonly time: (instant: string | number | null | undefined) => string;
  /** `2026-03-01` as `Mar 1, 2026`. */
  readonly day: (day: string) => string;
  /** `2026-03-01` as `Mar 1`. */
  readonly shortDay: (day: string) => string;
}

const orNone =
  <T>(format: (value: T) => string) =>
  (value: T | null | undefined) =>
    value === null || value === undefined ? texts.none : format(value);

const number = (options: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat(LOCALE, options);
  return orNone((value: number) => format.format(value));
};
const ofDay = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
};

function duration(value: number): string {
  const seconds = Math.round(value);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

const made = new Map<string, Formats>();

/** The formats of a currency and a zone; Intl's are dear to make, so that equal ones are shared. */
export function createFormats(currency: string, timezone: string): Formats {
  const key = `${currency} ${timezone}`;
  const known = made.get(key) ?? makeFormats(currency, timezone);
  made.set(key, known);
  return known;
}

function makeFormats(currency: string, timezone: string): Formats {
  const count = number({ maximumFractionDigits: 2 });
  const money = number({ style: 'currency', currency });
  const wholeMoney = number({ style: 'currency', currency, maximumFractionDigits: 0 });
  const short = number({ notation: 'compact', maximumFractionDigits: 1 });
  const shortMoney = number({ style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 });
  const ratio = number({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = orNone((value: number) => `${ratio(value)}%`);
  const seconds = orNone(duration);
  const clock = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const kinds = { count, money, percent, ratio, seconds };
  return {
    currency,
    timezone,
    ...kinds,
    short: (value, kind = 'count') => {
      if (kind === 'money') return shortMoney(value);
      return kind === 'percent' ? orNone((one: number) => `${short(one)}%`)(value) : short(value);
    },
    figure: (kind, value) =>
      kind === 'money' && Math.abs(value ?? 0) >= WHOLE_FROM ? wholeMoney(value) : kinds[kind](value),
    of: (kind, value) => kinds[kind](value),
    time: orNone((instant: string | number) => clock.format(new Date(instant))),
    day: ofDay({ dateStyle: 'medium' }),
    shortDay: ofDay({ month: 'short', day: 'numeric' }),
  };
}

const regions = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });

/** `DE` as `Germany`; what is no code stays as it is. */
export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code || texts.unknown;
