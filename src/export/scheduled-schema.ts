/** The forms of scheduled exports as they are shown. */
import { EVERY } from '../configuration/exports';
import { FORMAT_NAMES } from '../files/formats';
import { anyObject, choice, closed, instant, list, named, nullable, optional, Type } from '../lib/schema';

const count = Type.Integer({ minimum: 0 });
const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const day = Type.String({ format: 'date' });
const period = Type.String({ description: 'A day, `2026-11-01`, or an hour, `2026-11-01T13`.' });

export const backfillEntry = closed({ from: Type.String({ format: 'day' }), to: Type.String({ format: 'day' }) });
export const backfillSchema = closed({ id, from: day, to: day });

export const exportListSchema = closed({
  exports: list(
    named(
      'ScheduledExport',
      closed({
        id,
        name: text,
        kind: Type.Unsafe<string | object>({
          type: ['string', 'object'],
          description: 'The kind of records, or `{"query": {...}}`.',
        }),
        format: choice(FORMAT_NAMES, { type: 'string' }),
        every: choice(EVERY, { type: 'string' }),
        destination: closed({
          type: choice(['s3', 'folder'], { type: 'string' }),
          ...optional({ bucket: text, prefix: text, endpoint: text, region: text, path: text }),
        }),
        enabled: Type.Boolean(),
        created_at: instant,
        complete_until: nullable({ ...instant, description: 'Up to when its rows were complete at the last look.' }),
        lag_seconds: { ...count, description: 'Since the end of the first period that is not written; 0 for none.' },
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
        backfills: list(closed({ id, from: day, to: day, asked_at: instant })),
      }),
    ),
  ),
});

export const dryRunSchema = closed({
  complete_until: instant,
  periods: list(closed({ period, rows: count, why: choice(['new', 'changed'], { type: 'string' }) })),
  total: { ...count, description: 'Periods that would be written.' },
  columns: list(closed({ name: text, type: text })),
  sample: list(anyObject, { description: 'The first rows of the latest of the periods that has any.' }),
});
