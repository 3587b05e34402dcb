/** The steps of a curve: hours, days, weeks or months of a range. */
import dayjs from 'dayjs';
import type { Formats } from './format';

export type Grain = 'hour' | 'day' | 'week' | 'month';

/** The steps of a period, as answers have them: hours `YYYY-MM-DD HH`, weeks by their Monday, months `YYYY-MM`. */
export function listSteps({ from, to }: { readonly from: string; readonly to: string }, grain: Grain): string[] {
  const end = dayjs(to).endOf('day');
  let at = dayjs(from);
  if (grain === 'week') at = at.subtract((at.day() + 6) % 7, 'day');
  if (grain === 'month') at = at.startOf('month');
  const format = { hour: 'YYYY-MM-DD HH', day: 'YYYY-MM-DD', week: 'YYYY-MM-DD', month: 'YYYY-MM' }[grain];
  const steps: string[] = [];
  for (; !at.isAfter(end); at = at.add(1, grain)) steps.push(at.format(format));
  return steps;
}

/** A step as people read it. */
export function stepName(step: string, grain: Grain, { shortDay }: Pick<Formats, 'shortDay'>): string {
  if (grain === 'hour') return `${shortDay(step)}, ${step.slice(11)}:00`;
  if (grain === 'month') return dayjs(`${step}-01`).format('MMM YYYY');
  return shortDay(step);
}
