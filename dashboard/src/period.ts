/** Periods: presets and ranges become days in the project's time zone, with what they are compared with. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { firstDayQuery } from './api/queries';
import { useFormats, usePlace } from './session';
import { periodSearch, Type, useView, type COMPARISONS, type GRANULARITIES, type PRESETS } from './search';

export type Preset = (typeof PRESETS)[number];
export type Comparison = (typeof COMPARISONS)[number];
export type Granularity = Exclude<(typeof GRANULARITIES)[number], 'auto'>;

/** Days `YYYY-MM-DD`, both inclusive. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export interface Period extends Range {
  /** Undefined for days of one's own. */
  readonly preset: Preset | undefined;
  readonly compare: Comparison;
  /** What it is compared with. */
  readonly earlier: Range | undefined;
  /** As the API takes it: left out where nothing is compared. */
  readonly comparison: { compare?: Range };
  readonly days: number;
  readonly granularity: Granularity;
  /** Whether its last day is not over. */
  readonly isOpen: boolean;
  /** Whether the project has no full data of the range that it is compared with. */
  readonly lacksEarlier: boolean;
  /** The first day of which the project has any data, once it is known. */
  readonly firstDay: string | undefined;
}

/** Today in a zone, `YYYY-MM-DD`. */
export const todayIn = (timezone: string, now: Date = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);

/** The hour of the day in a zone, 0 to 23. */
export const hourIn = (timezone: string, now: Date = new Date()): number =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' }).format(now));

/** An hour of a day as reports call it: `2026-11-03 09`. */
export const hourBucket = (day: string, hour: number): string => `${day} ${String(hour).padStart(2, '0')}`;

const DAY_MS = 86_400_000;
const toTime = (day: string) => Date.parse(`${day}T00:00:00Z`);
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
/** How many days ago a day was. */
export const dayAge = (day: string, today: string): number => (toTime(today) - toTime(day)) / DAY_MS;
const countDays = ({ from, to }: Range) => dayAge(from, to) + 1;
const move = (day: string, days: number) => toDay(toTime(day) + days * DAY_MS);
const readMonth = (day: string): [year: number, month: number] => [
  Number(day.slice(0, 4)),
  Number(day.slice(5, 7)) - 1,
];
const startOfMonth = (day: string) => `${day.slice(0, 7)}-01`;
const endOfMonth = (day: string) => {
  const [year, month] = readMonth(day);
  return toDay(Date.UTC(year, month + 1, 0));
};

/** The same day of another month, or its last day where it has fewer. */
function addMonths(day: string, count: number): string {
  const [year, month] = readMonth(day);
  const end = endOfMonth(toDay(Date.UTC(year, month + count, 1)));
  const same = `${end.slice(0, 8)}${day.slice(8)}`;
  return same < end ? same : end;
}

interface Calendar {
  /** The first day with data, for all time. */
  readonly firstDay?: string | undefined;
}

type Unit = 'week' | 'month' | 'quarter' | 'year';
const UNIT_PRESETS: Readonly<Partial<Record<Preset, readonly [unit: Unit, isThis: boolean]>>> = {
  this_week: ['week', true],
  last_week: ['week', false],
  this_month: ['month', true],
  last_month: ['month', false],
  this_quarter: ['quarter', true],
  last_quarter: ['quarter', false],
  this_year: ['year', true],
  last_year: ['year', false],
};

/** The first day of the week, month, quarter or year of a day. */
function startOfUnit(day: string, unit: Unit): string {
  // On Monday whatever the locale: so do weeks of reports and of boards, whose figures they are to agree with.
  if (unit === 'week') return move(day, -((new Date(toTime(day)).getUTCDay() + 6) % 7));
  if (unit === 'year') return `${day.slice(0, 4)}-01-01`;
  const [, month] = readMonth(day);
  return startOfMonth(unit === 'quarter' ? addMonths(startOfMonth(day), -(month % 3)) : day);
}

const MONTHS = { month: 1, quarter: 3, year: 12 };
/** The first day of the unit before. */
const findBefore = (start: string, unit: Unit) => (unit === 'week' ? move(start, -7) : addMonths(start, -MONTHS[unit]));

const LAST_DAYS: Readonly<Partial<Record<Preset, number>>> = {
  today: 1,
  last_7_days: 7,
  last_28_days: 28,
  last_90_days: 90,
};

/** The first and the last day of a preset. */
export function presetRange(preset: Preset, today: string, { firstDay }: Calendar = {}): [from: string, to: string] {
  const [unit, isThis] = UNIT_PRESETS[preset] ?? [];
  if (unit !== undefined) {
    const start = startOfUnit(today, unit);
    return isThis ? [start, today] : [findBefore(start, unit), move(start, -1)];
  }
  if (preset === 'yesterday') return [move(today, -1), move(today, -1)];
  if (preset === 'all_time' && firstDay !== undefined && firstDay <= today) return [firstDay, today];
  const days = LAST_DAYS[preset];
  return [days === undefined ? move(addMonths(today, -12), 1) : move(today, 1 - days), today];
}

interface Compared {
  readonly compare: Comparison;
  /** Whether days are compared with the same days of the week. */
  readonly weekdays?: boolean;
  /** The days of a comparison of one's own. */
  readonly own?: Partial<Range> | undefined;
}

const isRange = (range: Partial<Range> | undefined): range is Range =>
  range?.from !== undefined && range.to !== undefined && range.from <= range.to;

/**
 * What a period is compared with. A week, month, quarter or year that is not over: the same days of the one before.
 * All time has nothing before it.
 */
export function findEarlier(
  period: Range & { readonly preset: Preset | undefined },
  { compare, weekdays = false, own }: Compared,
): Range | undefined {
  const days = countDays(period);
  const before = (by: number) => ({ from: move(period.from, -by), to: move(period.to, -by) });
  if (compare === 'none') return undefined;
  if (compare === 'custom') return isRange(own) ? { from: own.from, to: own.to } : undefined;
  if (period.preset === 'all_time') return undefined;
  if (compare === 'previous_year') {
    return weekdays ? before(364) : { from: addMonths(period.from, -12), to: addMonths(period.to, -12) };
  }
  if (weekdays) return before(Math.ceil(days / 7) * 7);
  const [unit, isThis] = (period.preset && UNIT_PRESETS[period.preset]) ?? [];
  if (unit === undefined) return before(days);
  const from = findBefore(startOfUnit(period.from, unit), unit);
  const end = move(period.from, -1);
  const same = move(from, days - 1);
  return { from, to: isThis && same < end ? same : end };
}

/** The longest ranges, in days, that are shown by each; the first that fits is shown unless somebody chooses. */
const FITTING: readonly (readonly [Granularity, days: number])[] = [
  ['hour', 1],
  ['day', 92],
  ['week', 400],
  ['month', Infinity],
];
const LEGAL: Readonly<Record<Granularity, readonly [min: number, max: number]>> = {
  hour: [1, 7],
  day: [2, 400],
  week: [8, 2000],
  month: [32, Infinity],
};

/** What a range of so many days can be shown by. */
export const listGranularities = (days: number): Granularity[] =>
  FITTING.map(([one]) => one).filter((one) => days >= LEGAL[one][0] && days <= LEGAL[one][1]);

/** How a range is shown: as it was chosen, if that makes sense, else as it fits. */
export function chooseGranularity(days: number, chosen: Granularity | 'auto' = 'auto'): Granularity {
  if (chosen !== 'auto' && listGranularities(days).includes(chosen)) return chosen;
  return FITTING.find(([, max]) => days <= max)?.[0] ?? 'month';
}

const schema = Type.Object(periodSearch);

/** The period that the URL says, in the zone of the place (partners: UTC), and a function that changes it. */
export function usePeriod() {
  const { timezone } = useFormats();
  const place = usePlace();
  const [view, setView] = useView(schema);
  const isOfProject = place?.area === 'project';
  const { data: firstDay } = useQuery({ ...firstDayQuery(place?.id ?? 0), enabled: isOfProject });
  const today = todayIn(timezone);
  const { from: ownFrom, to: ownTo, period: preset, compare, weekdays, granularity, compare_from, compare_to } = view;
  const period = useMemo((): Period => {
    const calendar = { firstDay: firstDay ?? undefined };
    const given = { from: ownFrom, to: ownTo };
    const isOwn = isRange(given);
    const [from, to] = isOwn ? [given.from, given.to] : presetRange(preset, today, calendar);
    const shown = { from, to, preset: isOwn ? undefined : preset };
    const own = { from: compare_from, to: compare_to };
    const earlier = findEarlier(shown, { compare, weekdays, own });
    const days = countDays(shown);
    return {
      ...shown,
      compare,
      earlier,
      comparison: earlier ? { compare: earlier } : {},
      days,
      granularity: chooseGranularity(days, granularity),
      isOpen: to >= today,
      lacksEarlier: earlier !== undefined && firstDay !== undefined && firstDay !== null && earlier.from < firstDay,
      firstDay: firstDay ?? undefined,
    };
  }, [ownFrom, ownTo, preset, compare, weekdays, compare_from, compare_to, granularity, today, firstDay]);
  return [period, setView] as const;
}

/** Every day of a range. */
export const listDays = ({ from, to }: Range): string[] =>
  Array.from({ length: countDays({ from, to }) }, (_, i) => move(from, i));

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The Monday of the week of a day: weeks of reports begin on it. */
const monday = (day: string) => startOfUnit(day, 'week');

/** What a range is shown by, as reports call it: hours `YYYY-MM-DD HH`, days, weeks by their Monday, months. */
export function listBuckets(range: Range, granularity: Granularity): string[] {
  const days = listDays(range);
  if (granularity === 'hour') return days.flatMap((day) => HOURS.map((hour) => hourBucket(day, hour)));
  if (granularity === 'day') return days;
  return [...new Set(days.map((day) => (granularity === 'week' ? monday(day) : day.slice(0, 7))))];
}

/** The days of a bucket that are in the range. */
export function bucketRange(bucket: string, granularity: Granularity, { from, to }: Range): Range {
  const start = granularity === 'month' ? `${bucket}-01` : bucket.slice(0, 10);
  const end =
    granularity === 'week' ? move(start, 6) : granularity === 'month' ? endOfMonth(start) : bucket.slice(0, 10);
  return { from: start < from ? from : start, to: end > to ? to : end };
}
