/** Periods: presets and ranges become days in the project's time zone. */
import dayjs from 'dayjs';
import { useMemo } from 'react';
import { useFormats } from './session';
import { periodSearch, Type, useView, type COMPARISONS, type PRESETS } from './search';

export type Preset = (typeof PRESETS)[number];
export type Comparison = (typeof COMPARISONS)[number];

export interface Period {
  /** Days `YYYY-MM-DD`, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Undefined for days of one's own. */
  readonly preset: Preset | undefined;
  readonly compare: Comparison;
  /** As the API takes it: left out where nothing is compared. */
  readonly comparison: { compare?: 'previous_period' | 'previous_year' };
  readonly days: number;
}

/** Today in a zone, `YYYY-MM-DD`. */
export const todayIn = (timezone: string, now: Date = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);

const text = (day: dayjs.Dayjs) => day.format('YYYY-MM-DD');

/** The first and the last day of a preset. */
export function presetRange(preset: Preset, today: string): [from: string, to: string] {
  const end = dayjs(today);
  const last = (days: number): [string, string] => [text(end.subtract(days - 1, 'day')), today];
  switch (preset) {
    case 'today':
      return last(1);
    case 'yesterday': {
      const yesterday = text(end.subtract(1, 'day'));
      return [yesterday, yesterday];
    }
    case 'last_7_days':
      return last(7);
    case 'last_28_days':
      return last(28);
    case 'last_90_days':
      return last(90);
    case 'this_month':
      return [text(end.startOf('month')), today];
    case 'last_month': {
      const month = end.subtract(1, 'month');
      return [text(month.startOf('month')), text(month.endOf('month'))];
    }
    case 'last_12_months':
      return [text(end.subtract(1, 'year').add(1, 'day')), today];
  }
}

const schema = Type.Object(periodSearch);

/** The period that the URL says, in the zone of the place (partners: UTC), and a function that changes it. */
export function usePeriod() {
  const { timezone } = useFormats();
  const [view, setView] = useView(schema);
  const today = todayIn(timezone);
  const period = useMemo((): Period => {
    const isOwn = view.from !== undefined && view.to !== undefined && view.from <= view.to;
    const [from, to] = isOwn ? [view.from as string, view.to as string] : presetRange(view.period, today);
    return {
      from,
      to,
      preset: isOwn ? undefined : view.period,
      compare: view.compare,
      comparison: view.compare === 'none' ? {} : { compare: view.compare },
      days: dayjs(to).diff(dayjs(from), 'day') + 1,
    };
  }, [view.from, view.to, view.period, view.compare, today]);
  return [period, setView] as const;
}

/** Every day of a period. */
export function listDays({ from, days }: Period): string[] {
  return Array.from({ length: days }, (_, i) => text(dayjs(from).add(i, 'day')));
}
