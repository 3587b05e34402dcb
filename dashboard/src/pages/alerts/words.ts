/** Alerts in words. */
import type { Alert, Condition } from '../../api/alerts';
import type { Formats } from '../../format';
import { dimensionText, metricText } from '../../texts';
import { alerts as text } from '../../texts/alerts';

type Named = Pick<Alert, 'question' | 'question_id' | 'condition'>;

/** What it is about: `Installs by campaign`, or `Clicks`. */
export function nameSubject({ question, question_id: saved, condition }: Named): string {
  if (condition.type === 'nothing_received') return text.kinds[condition.kind];
  if (condition.type === 'refusals_doubled') return condition.reason ?? text.anyReason;
  if (condition.type === 'export_late') return condition.export ?? text.anyExport;
  if (!question) return text.saved(saved ?? 0);
  const [metric = ''] = question.metrics;
  const [dimension] = question.dimensions ?? [];
  const label = metricText(metric).label;
  return dimension === undefined ? label : `${label} by ${dimensionText(dimension).toLowerCase()}`;
}

/** When it fires: `Installs by campaign down 50%`. */
export function describeAlert(alert: Named, formats: Formats): string {
  const subject = nameSubject(alert);
  const { condition, question } = alert;
  const kind = metricText(question?.metrics[0] ?? '').kind;
  switch (condition.type) {
    case 'threshold':
      return `${subject} ${text.directions[condition.direction]} ${formats.of(kind, condition.value)}`;
    case 'change':
      return `${subject} ${text.directions[condition.direction]} ${condition.percent} %`;
    case 'unusual':
      return `${subject} unusual for the weekday (${condition.factor}×)`;
    case 'nothing_received':
      return `No ${subject.toLowerCase()} for ${condition.hours} h`;
    case 'refusals_doubled':
      return `Refusals doubled in ${condition.hours} h: ${subject}`;
    case 'export_late':
      return text.late(subject, condition.hours);
  }
}

/** Why it is not judged, in words; what is in words already stays. */
export const explainReason = (reason: string | null): string | undefined =>
  reason === null ? undefined : (text.reasons[reason] ?? reason);

const WITHOUT_FIGURES: readonly Condition['type'][] = ['nothing_received', 'refusals_doubled', 'export_late'];
export const isOnFigures = ({ type }: Pick<Condition, 'type'>): boolean => !WITHOUT_FIGURES.includes(type);
