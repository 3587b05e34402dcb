/** The figures of a partner, as they are called and counted. */
import type { Traffic } from '../../api/partner';
import { type MetricText } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';

export const FIGURES = [
  'clicks',
  'impressions',
  'ctv_impressions',
  'link_clicks',
  'refused',
  'repeats',
  'installs',
  'reinstalls',
  'reengagements',
  'signups',
  'payments',
  'events',
] as const;
export type FigureName = (typeof FIGURES)[number];
export type Counts = Traffic['totals'];

export const readCount = (counts: Counts, name: FigureName): number =>
  name === 'refused' ? Object.values(counts.refused).reduce((sum, one) => sum + one, 0) : counts[name];

export function figureText(name: FigureName): MetricText {
  const [label, about] = partnerTexts.overview.figures[name] ?? [name, ''];
  return { label, about, kind: 'count', better: name === 'refused' || name === 'repeats' ? 'less' : 'more' };
}
