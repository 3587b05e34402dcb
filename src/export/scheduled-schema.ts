/** The forms of scheduled exports as they are shown. */
import { destinationFields, EVERY, exportFields, kindSchema } from '../configuration/exports';
import { FORMAT_NAMES } from '../files/formats';
import { anyObject, choice, closed, instant, list, named, nullable, optional, Type, type Static } from '../lib/schema';
import { STATES } from './state';

const count = Type.Integer({ minimum: 0 });
const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const day = Type.String({ format: 'date' });
const period = Type.String({ description: 'A day, `2026-11-01`, or an hour, `2026-11-01T13`.' });

export const backfillEntry = closed({ from: Type.String({ format: 'day' }), to: Type.String({ format: 'day' }) });
export const backfillSchema = closed({ id, from: day, to: day });

const key = Type.String({ minLength: 1, maxLength: 256, pattern: '^[!-~]+$' });
/** What a project declares: its own folder or bucket, and a bucket's keys, which are never shown. */
export const declaredSchema = closed({
  ...exportFields,
  destination: closed({ ...destinationFields, ...optional({ key, secret: key }) }),
  ...optional({
    from: Type.String({ format: 'day', description: 'Days from this one on are written too, as by a back-fill.' }),
  }),
});
export type Declared = Static<typeof declaredSchema>;
export const changesSchema = closed(
  optional({ enabled: Type.Boolean(), keys: closed({ key, secret: key }, { description: 'Of the bucket, both.' }) }),
  { minProperties: 1 },
);
export type Changes = Static<typeof changesSchema>;

const scheduledExport = named(
  'ScheduledExport',
  closed({
    id,
    name: text,
    kind: kindSchema,
    format: choice(FORMAT_NAMES, { type: 'string' }),
    every: choice(EVERY, { type: 'string' }),
    destination: closed({
      type: choice(['s3', 'folder'], { type: 'string' }),
      ...optional({ bucket: text, prefix: text, endpoint: text, region: text, path: text }),
    }),
    declared_by: choice(['operator', 'project'], {
      type: 'string',
      description: 'Whether a workspace document declares it, or the project itself, which may then change it.',
    }),
    keys_changed_at: nullable({ ...instant, description: 'When the keys of its bucket were set; null for none.' }),
    enabled: Type.Boolean(),
    created_at: instant,
    state: choice(STATES, { type: 'string' }),
    complete_until: nullable({ ...instant, description: 'Up to when its rows were complete at the last look.' }),
    lag_seconds: { ...count, description: 'Since the end of the first period that is not written; 0 for none.' },
    next: closed(
      { period, ends_at: instant },
      { description: 'The period that is written next, once it is complete.' },
    ),
    progress: closed({
      periods_written: count,
      periods_waiting: { ...count, description: 'Complete and not written yet, back-fills among them.' },
      rows: count,
      bytes: count,
      latest: nullable(period),
      written_at: nullable(instant),
    }),
    failure: Type.Unsafe<object | null>({
      ...closed({
        at: instant,
        error: Type.String({ description: 'Without secrets.' }),
        is_over: Type.Boolean({ description: 'Whether it has gone well since.' }),
      }),
      type: ['object', 'null'],
      description: 'The last one.',
    }),
    backfills: list(
      closed({
        id,
        from: day,
        to: day,
        asked_at: instant,
        periods: { ...count, description: 'Of its days, whenever they are complete.' },
        periods_written: count,
      }),
    ),
  }),
);
export const exportSchema = scheduledExport;
const places = closed(
  {
    by_projects: Type.Boolean({ description: 'Whether the project may declare exports.' }),
    folders: Type.Boolean({ description: 'Whether they may go to a folder.' }),
  },
  { description: 'What the installation allows.' },
);
export const exportListSchema = closed({ exports: list(scheduledExport), places });

export const dryRunSchema = closed({
  complete_until: instant,
  periods: list(closed({ period, rows: count, why: choice(['new', 'changed'], { type: 'string' }) })),
  total: { ...count, description: 'Periods that would be written.' },
  columns: list(closed({ name: text, type: text })),
  destination_error: nullable(
    Type.String({ description: 'Why the bucket of an export that is not made yet does not answer.' }),
  ),
  sample: list(anyObject, { description: 'The first rows of the latest of the periods that has any.' }),
});
