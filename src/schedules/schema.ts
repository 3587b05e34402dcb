/** What the endpoints of schedules take and answer, as JSON Schema (docs/contract/alerts.md). */
import { choice, closed, givenName, instant, list, named, nullable, optional, rowId, Type } from '../lib/schema';
import { givenReceivers, sentMessages, shownReceiver } from '../notices/receivers';

const every = choice(['day', 'week', 'month'], { type: 'string' });
const weekday = Type.Integer({ minimum: 1, maximum: 7, description: '1 for Monday to 7 for Sunday; of a week.' });
const monthDay = Type.Integer({ minimum: 1, maximum: 31, description: 'The day, or the last one of a shorter month.' });
const hour = Type.Integer({ minimum: 0, maximum: 23, description: 'In the time zone of the project.' });

export const scheduleEntrySchema = closed({
  name: givenName,
  board_id: rowId,
  every,
  hour,
  receivers: givenReceivers,
  ...optional({ weekday, month_day: monthDay, enabled: Type.Boolean({ default: true }) }),
});
export const scheduleSchema = named(
  'Schedule',
  closed({
    id: rowId,
    name: givenName,
    board_id: rowId,
    board: Type.String(),
    every,
    weekday: nullable(weekday),
    month_day: nullable(monthDay),
    hour,
    timezone: Type.String(),
    receivers: list(shownReceiver),
    enabled: Type.Boolean(),
    next_at: nullable({ ...instant, description: 'When it is due next; null while it is off.' }),
    sent_at: nullable({ ...instant, description: 'When a mail of it was sent last.' }),
    created_by: Type.String(),
    created_at: instant,
    updated_at: instant,
  }),
);
export const scheduleListSchema = closed({
  schedules: list(scheduleSchema),
  mail: Type.Boolean({ description: 'Whether an SMTP server is configured: without one nothing is sent.' }),
});
export const runListSchema = closed({
  runs: list(
    closed({
      id: Type.Integer({ minimum: 1 }),
      due_at: nullable({ ...instant, description: 'Null where somebody asked for it.' }),
      created_at: instant,
      messages: sentMessages,
    }),
  ),
});
export const askedSchema = closed({ to: Type.String({ description: 'The address that it is sent to.' }) });
