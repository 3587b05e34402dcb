/** The forms of what operators see of an installation: its processes, its status, what is set aside. */
import {
  choice,
  closed,
  instant,
  list,
  mapTo,
  named,
  nullable,
  ofTypes,
  optional,
  Type,
  type Static,
} from '../lib/schema';
import { WITH_QUARANTINE } from '../tables/derivations';

const count = Type.Integer({ minimum: 0 });
const detail = ofTypes<string | number | boolean | null>(['string', 'number', 'boolean', 'null']);

export const ingestProcess = named(
  'IngestProcess',
  closed({
    name: Type.String({ format: 'uuid', description: 'Name of the folder of its log.' }),
    host: Type.String(),
    state: {
      ...choice(['alive', 'left_behind'], { type: 'string' }),
      description: '`left_behind`: it has told nothing for `INGEST_GRACE` seconds, and no decision waits for it.',
    },
    started_at: instant,
    published_at: { ...instant, description: 'When it last told of itself.' },
    received_up_to: { ...instant, description: 'Everything that it received up to then is in ClickHouse.' },
    backlog: {
      ...list(
        closed({
          table: Type.String(),
          records: Type.Integer(),
          bytes: Type.Integer(),
          seconds: Type.Number({ description: 'Age of the oldest of them.' }),
        }),
      ),
      description: 'What waits in its log, by table.',
    },
  }),
);

const state = choice(['set_aside', 'retry', 'dismissed'], { type: 'string' });

const health = choice(['ok', 'warning', 'critical'], { type: 'string' });
const seconds = Type.Number({ minimum: 0 });
const exportsStatus = named(
  'ExportsStatus',
  closed({
    state: {
      ...health,
      description: '`warning`: one fails, or is more than an hour behind. `critical`: it has for a day.',
    },
    enabled: count,
    failing: { ...count, description: 'Those that failed when they were written last.' },
    late: { ...count, description: 'Others that are more than an hour behind.' },
    lag_seconds: { ...seconds, description: 'How far the one furthest behind is.' },
    problems: list(
      closed({
        export_id: Type.Integer(),
        name: Type.String(),
        project_id: Type.Integer(),
        project: Type.String(),
        state: health,
        lag_seconds: { ...seconds, description: 'Since the end of its first period that is not written.' },
        failing_since: nullable(instant),
        error: nullable(Type.String({ description: 'Why it failed last, without secrets.' })),
      }),
      { description: 'At most ten: those that have failed longest, then those furthest behind.' },
    ),
  }),
);
export type ExportsStatus = Static<typeof exportsStatus>;

export const statusSchema = named(
  'Status',
  closed({
    at: instant,
    ready: Type.Boolean({ description: 'Whether the process that answers can do the work of its roles.' }),
    checks: list(
      closed({
        name: Type.String(),
        ok: Type.Boolean(),
        required: Type.Boolean(),
        needs_a_look: Type.Boolean({ description: 'It goes on, and an operator should look.' }),
        details: mapTo(detail),
      }),
      { description: 'As `/readyz` has them.' },
    ),
    ingest: closed({ processes: list(ingestProcess) }),
    decisions: closed({
      undecided: { ...count, description: 'Installs of the last three days without a decision.' },
      oldest_received_at: nullable(instant),
    }),
    derived_tables: list(
      named(
        'DerivedTable',
        closed({
          name: Type.String(),
          watermark: { ...instant, description: 'Everything stored up to then is in it.' },
          complete_until: nullable({ ...instant, description: 'Everything received up to then is in it.' }),
          lag_seconds: Type.Number({ minimum: 0, description: 'Since the watermark; up to a minute at rest.' }),
          backlog: list(closed({ table: Type.String(), rows: count }), {
            description: 'Rows of its sources that were stored since.',
          }),
        }),
      ),
    ),
    quarantine: list(closed({ worker: Type.String(), state, entities: count }), {
      description: 'How much is set aside, by derived table.',
    }),
    exports: exportsStatus,
  }),
);

const worker = choice(WITH_QUARANTINE, { type: 'string' });

/** What is left out means all. */
export const quarantineChoice = closed(
  optional({
    worker,
    project_id: Type.Integer({ minimum: 1, maximum: 0xffffffff }),
    entity: Type.String({ minLength: 1, maxLength: 255 }),
  }),
);

export const quarantined = named(
  'Quarantined',
  closed({
    worker: { ...worker, description: 'The derived table that lacks it.' },
    project_id: Type.Integer(),
    entity: Type.String({ description: 'The install or visitor.' }),
    state,
    reason: Type.String({ description: 'Name and code of the error of ClickHouse.' }),
    set_aside_at: instant,
  }),
);
