/** Alerts in words. */
import type { Alert, Condition } from '../../api/alerts';
import type { Formats } from '../../format';
import { dimensionText, metricText } from '../../texts';
import { alerts as text } from '../../texts/alerts';

type Named = Pick<Alert, 'question' | 'saved' | 'condition' | 'partner'>;

/** What it is about: `Installs by campaign`, or `Clicks`. */
export function nameSubject({ question, saved, condition }: Named): string {
  if (condition.type === 'nothing_received') return text.kinds[condition.kind];
  if (condition.type === 'refusals_doubled') return condition.reason ?? text.anyReason;
  if (condition.type === 'export_late') return condition.export ?? text.anyExport;
  if (!question) return saved?.name ?? '';
  const [metric = ''] = question.metrics;
  const [dimension] = question.dimensions ?? [];
  const label = metricText(metric).label;
  return dimension === undefined ? label : `${label} by ${dimensionText(dimension).toLowerCase()}`;
}

/** When it fires: `Installs by campaign down 50%`. */
export function describeAlert(alert: Named, formats: Formats): string {
  const subject = nameSubject(alert);
  const { condition, partner } = alert;
  const question = alert.question ?? alert.saved?.question;
  const kind = metricText(question?.metrics[0] ?? '').kind;
  switch (condition.type) {
    case 'threshold':
      return `${subject} ${text.directions[condition.direction]} ${formats.of(kind, condition.value)}`;
    case 'change':
      return `${subject} ${text.directions[condition.direction]} ${condition.percent} %`;
    case 'unusual':
      return `${subject} unusual for the weekday (${condition.factor}×)`;
    case 'nothing_received':
      return text.silent(subject.toLowerCase(), condition.hours, partner, condition.campaign);
    case 'refusals_doubled':
      return text.doubled(subject, condition.hours, partner);
    case 'export_late':
      return text.late(subject, condition.hours);
  }
}

/** Why it is not judged, in words; what is in words already stays. */
export const explainReason = (reason: string | null): string | undefined =>
  reason === null ? undefined : (text.reasons[reason] ?? reason);

const WITHOUT_FIGURES: readonly Condition['type'][] = ['nothing_received', 'refusals_doubled', 'export_late'];
export const isOnFigures = ({ type }: Pick<Condition, 'type'>): boolean => !WITHOUT_FIGURES.includes(type);
