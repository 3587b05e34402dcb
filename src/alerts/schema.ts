/** What the endpoints of alerts take and answer, as JSON Schema (docs/contract/alerts.md). */
import {
  choice,
  closed,
  givenName,
  instant,
  list,
  named,
  nullable,
  optional,
  rowId,
  Type,
  type TSchema,
} from '../lib/schema';
import { givenReceivers, newSecrets, sentMessages, shownReceiver } from '../notices/receivers';
import { questionSchema } from '../questions/question';
import { conditionSchema, givenCondition } from './condition';

const number = nullable(Type.Number());

const asks = optional({
  question: questionSchema,
  question_id: { ...rowId, description: 'A saved question instead.' },
});
const buildEntry = <C extends TSchema>(condition: C) =>
  closed({
    name: givenName,
    condition,
    receivers: givenReceivers,
    ...asks,
    ...optional({ enabled: Type.Boolean({ default: true }) }),
  });
const buildPreview = <C extends TSchema>(condition: C) => closed({ condition, ...asks });
/** As they are documented, and as they are checked first: `readCondition` names the rule that a condition breaks. */
export const [alertEntrySchema, previewEntrySchema] = [buildEntry(conditionSchema), buildPreview(conditionSchema)];
export const [checkedEntrySchema, checkedPreviewSchema] = [buildEntry(givenCondition), buildPreview(givenCondition)];

const range = closed({
  from: Type.String({ description: 'A day of the project, or a time.' }),
  to: Type.String({ description: 'The last day, or the time at which it ends.' }),
  timezone: Type.String(),
});
const metric = closed({
  name: Type.String(),
  label: Type.String(),
  format: choice(['count', 'money', 'percent', 'ratio', 'seconds'], { type: 'string' }),
  currency: Type.String(),
});
const state = closed({
  state: choice(['waiting', 'fine', 'firing', 'not_judged', 'failed', 'off'], { type: 'string' }),
  reason: nullable(Type.String({ description: 'Why it is not judged.' })),
  range: Type.Optional(range),
  judged_at: nullable(instant),
  firing: list(closed({ value: Type.String(), label: Type.String(), since: Type.String() }), {
    description: 'The values for which it has fired and is not over; one that is empty without a dimension.',
  }),
});
export const alertSchema = named(
  'Alert',
  closed({
    id: rowId,
    name: givenName,
    question: Type.Optional(questionSchema),
    question_id: nullable(rowId),
    saved: {
      ...nullable(closed({ name: givenName, question: questionSchema })),
      description: 'The saved question, as it is now.',
    },
    condition: conditionSchema,
    partner: { ...nullable(Type.String()), description: 'The name of the partner that the condition is about.' },
    receivers: list(shownReceiver),
    enabled: Type.Boolean(),
    state,
    created_by: Type.String(),
    created_at: instant,
    updated_at: instant,
  }),
);
export const savedAlertSchema = closed({ alert: alertSchema, secrets: newSecrets });
export const alertListSchema = closed({
  alerts: list(alertSchema),
  mail: Type.Boolean({ description: 'Whether an SMTP server is configured: without one no mail is sent.' }),
});

const told = closed({
  value: Type.String(),
  label: Type.String(),
  figure: number,
  expected: Type.Number({ description: 'The limit, the comparison or the median that the figure was held against.' }),
  deviation: Type.Optional(
    Type.Number({ description: 'In per cent of the comparison, or in median distances from the median.' }),
  ),
});
const details = closed({
  range,
  metric,
  values: list(told, { description: 'At most 50.' }),
  count: Type.Integer({ minimum: 0 }),
});
export const eventListSchema = closed({
  events: list(
    named(
      'AlertEvent',
      closed({
        id: Type.Integer({ minimum: 1 }),
        kind: choice(['fired', 'over'], { type: 'string' }),
        at: instant,
        details,
        why: list(Type.String(), { description: 'The same in words, as messages have it.' }),
        messages: sentMessages,
      }),
    ),
  ),
  more: Type.Boolean({ description: 'Whether there are earlier ones: ask with `before`.' }),
});

export const hoursSchema = closed({
  from: instant,
  hours: list(
    closed({
      hour: { ...instant, description: 'When it begins.' },
      value: Type.String({ description: 'The reason of refusals; else empty.' }),
      amount: Type.Integer({ minimum: 0 }),
    }),
    { description: 'Those that have any, the earliest first.' },
  ),
});

const judged = closed({
  value: Type.String(),
  label: Type.String(),
  figure: number,
  comparison: Type.Optional(number),
  state: choice(['breach', 'fine', 'not_judged'], { type: 'string' }),
  reason: nullable(Type.String()),
  expected: number,
});
export const testSchema = closed({
  state: choice(['judged', 'waiting'], { type: 'string' }),
  reason: nullable(Type.String({ description: 'Why nothing is judged.' })),
  range: Type.Optional(range),
  metric: Type.Optional(metric),
  values: list(judged),
});
export const messageTestSchema = closed({
  messages: list(
    closed({
      receiver_id: rowId,
      to: Type.String(),
      state: choice(['sent', 'failed'], { type: 'string' }),
      error: Type.String(),
    }),
  ),
});
export const previewSchema = closed({
  days: list(
    closed({
      day: Type.String({ format: 'date', description: 'The last day of the range that is judged.' }),
      state: choice(['breach', 'fine', 'not_judged'], { type: 'string' }),
      figure: nullable(Type.Number({ description: 'Without a dimension.' })),
      expected: number,
    }),
  ),
  fired: Type.Integer({ minimum: 0, description: 'How many times it would have fired.' }),
  metric: Type.Optional(metric),
});
