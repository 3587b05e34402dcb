/** What cohorts are called. */
import dayjs from 'dayjs';
import type { Formats } from '../../format';
import type { Cohort, Unit } from './cohorts';

export function cohortName(unit: Unit, { id, from, to }: Cohort, formats: Formats): string {
  if (unit === 'month') return dayjs(`${id}-01`).format('MMM YYYY');
  return unit === 'day' || from === to ? formats.shortDay(from) : `${formats.shortDay(from)} – ${formats.shortDay(to)}`;
}
