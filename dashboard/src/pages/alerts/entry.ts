/** The form of an alert as values, and the alert that they mean. */
import type { Alert, AlertEntry, Condition } from '../../api/alerts';
import { editReceivers, readReceivers, type Edited } from '../../components/receivers/Receivers';
import type { Filter } from '../../search';
import { alerts as text } from '../../texts/alerts';
import { isOnFigures } from './words';

export type Type = Condition['type'];
export type RangeName = keyof typeof text.ranges;
type Kind = keyof typeof text.kinds;

export interface Values {
  readonly name: string;
  readonly type: Type;
  /** The saved question of an alert that has one; editing keeps it. */
  readonly savedId: number | null;
  readonly source: 'app' | 'web';
  readonly metric: string;
  readonly dimension: string | null;
  readonly filters: readonly Filter[] | undefined;
  readonly range: RangeName;
  readonly limit: 'above' | 'below';
  readonly value: number;
  readonly direction: 'up' | 'down' | 'either';
  readonly percent: number;
  readonly compare: 'previous_period' | 'previous_year';
  readonly factor: number;
  readonly hours: number;
  readonly kind: Kind;
  readonly partner: number | null;
  readonly campaign: string | null;
  readonly reason: string;
  readonly minimum: number;
  /** The name of a scheduled export; null for each. */
  readonly export: string | null;
  readonly receivers: readonly Edited[];
  readonly enabled: boolean;
}

const STANDARD: Values = {
  name: '',
  type: 'change',
  savedId: null,
  source: 'app',
  metric: 'installs',
  dimension: null,
  filters: undefined,
  range: 'yesterday',
  limit: 'below',
  value: 0,
  direction: 'down',
  percent: 50,
  compare: 'previous_period',
  factor: 4,
  hours: 6,
  kind: 'click',
  partner: null,
  campaign: null,
  reason: '',
  minimum: 100,
  export: null,
  receivers: [{ kind: 'email', typed: '' }],
  enabled: true,
};

/** What the form begins with: an alert, or a new one for who is signed in. */
export function readValues(alert: Alert | undefined, email: string): Values {
  if (!alert) return { ...STANDARD, receivers: [{ kind: 'email', typed: email }] };
  const { name, question, condition, enabled } = alert;
  const values = {
    ...STANDARD,
    name,
    enabled,
    savedId: alert.question_id,
    receivers: editReceivers(alert.receivers),
    type: condition.type,
    ...(question && {
      source: question.source,
      metric: question.metrics[0] ?? '',
      dimension: question.dimensions?.[0] ?? null,
      filters: question.filters as Filter[] | undefined,
      range: (question.range ?? 'yesterday') as RangeName,
    }),
  };
  switch (condition.type) {
    case 'threshold':
      return { ...values, limit: condition.direction, value: condition.value };
    case 'change': {
      const { direction, percent, compare = 'previous_period' } = condition;
      return { ...values, direction, percent, compare };
    }
    case 'unusual':
      return { ...values, factor: condition.factor };
    case 'nothing_received': {
      const { hours, kind, partner_id: partner = null, campaign = null } = condition;
      return { ...values, hours, kind, partner, campaign };
    }
    case 'refusals_doubled': {
      const { hours, minimum = STANDARD.minimum, reason = '', partner_id: partner = null } = condition;
      return { ...values, hours, minimum, reason, partner };
    }
    case 'export_late':
      return { ...values, hours: condition.hours, export: condition.export ?? null };
  }
}

/** What names its partner as it is received. */
export const isTouch = (kind: Kind) => kind !== 'app_event' && kind !== 'web_event';

function readCondition(values: Values): Condition {
  const { type, limit, value, direction, percent, compare, factor, hours, kind, minimum } = values;
  const partner = values.partner === null ? {} : { partner_id: values.partner };
  switch (type) {
    case 'threshold':
      return { type, direction: limit, value };
    case 'change':
      return { type, direction, percent, compare };
    case 'unusual':
      return { type, factor };
    case 'nothing_received': {
      const campaign = values.campaign === null ? {} : { campaign: values.campaign };
      return { type, hours, kind, ...(isTouch(kind) ? { ...partner, ...campaign } : {}) };
    }
    case 'refusals_doubled': {
      const reason = values.reason.trim();
      return { type, hours, minimum, ...partner, ...(reason === '' ? {} : { reason }) };
    }
    case 'export_late':
      return { type, hours, ...(values.export === null ? {} : { export: values.export }) };
  }
}

/** What it asks and waits for. */
export function readAsked(values: Values): Pick<AlertEntry, 'question' | 'question_id' | 'condition'> {
  const condition = readCondition(values);
  if (!isOnFigures(condition)) return { condition };
  if (values.savedId !== null) return { condition, question_id: values.savedId };
  const { source, metric, dimension, filters, range } = values;
  const question = {
    source,
    metrics: [metric],
    ...(dimension === null ? {} : { dimensions: [dimension] }),
    ...(filters ? { filters: [...filters] } : {}),
    range: condition.type === 'unusual' ? ('yesterday' as const) : range,
  };
  return { condition, question } as Pick<AlertEntry, 'question' | 'condition'>;
}

export const readEntry = (values: Values): AlertEntry => ({
  ...readAsked(values),
  name: values.name.trim(),
  receivers: readReceivers(values.receivers),
  enabled: values.enabled,
});
