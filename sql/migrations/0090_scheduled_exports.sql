-- Scheduled exports of projects, and the ledger of what each has written.

CREATE TABLE IF NOT EXISTS scheduled_exports (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  kind text NOT NULL,
  query jsonb,
  format text NOT NULL,
  every text NOT NULL CHECK (every IN ('hour', 'day')),
  destination jsonb NOT NULL,
  place text NOT NULL UNIQUE,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (project_id, name)
);
COMMENT ON TABLE scheduled_exports IS 'What is written by itself, and where to';
COMMENT ON COLUMN scheduled_exports.id IS 'ID of the export [none]';
COMMENT ON COLUMN scheduled_exports.project_id IS 'Project whose records are written [none]';
COMMENT ON COLUMN scheduled_exports.name IS 'What it is called, unique in its project [none]';
COMMENT ON COLUMN scheduled_exports.kind IS 'Kind of records; query for the rows of a question [none]';
COMMENT ON COLUMN scheduled_exports.query IS 'The question; null for records [none]';
COMMENT ON COLUMN scheduled_exports.format IS 'csv, ndjson or parquet [none]';
COMMENT ON COLUMN scheduled_exports.every IS 'hour or day: what one period is [none]';
COMMENT ON COLUMN scheduled_exports.destination IS 'Bucket or folder, without keys [none]';
COMMENT ON COLUMN scheduled_exports.place IS 'The same in one form: no two exports write to one place [none]';
COMMENT ON COLUMN scheduled_exports.enabled IS 'Whether it is written [none]';
COMMENT ON COLUMN scheduled_exports.created_at IS 'When it was made: it is written from that day on [none]';

CREATE TABLE IF NOT EXISTS export_states (
  export_id integer PRIMARY KEY REFERENCES scheduled_exports ON DELETE CASCADE,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  failures integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  failed_at timestamptz(3),
  complete_until timestamptz(3)
);
COMMENT ON TABLE export_states IS 'How scheduled exports are doing';
COMMENT ON COLUMN export_states.export_id IS 'The export [none]';
COMMENT ON COLUMN export_states.due_at IS 'When it is looked at next [none]';
COMMENT ON COLUMN export_states.failures IS 'Failures since it last went well [none]';
COMMENT ON COLUMN export_states.error IS 'Why it failed last, without secrets; empty where it never did [none]';
COMMENT ON COLUMN export_states.failed_at IS 'When it failed last [none]';
COMMENT ON COLUMN export_states.complete_until IS 'Up to when its records were complete at the last look [none]';

-- One row per revision of a period.
CREATE TABLE IF NOT EXISTS export_periods (
  export_id integer NOT NULL REFERENCES scheduled_exports ON DELETE CASCADE,
  period text NOT NULL,
  revision integer NOT NULL,
  state text NOT NULL CHECK (state IN ('writing', 'written', 'former', 'removed')),
  fingerprint text NOT NULL DEFAULT '',
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  complete_until timestamptz(3),
  written_at timestamptz(3),
  checked_at timestamptz(3),
  remove_at timestamptz(3),
  PRIMARY KEY (export_id, period, revision)
);
CREATE UNIQUE INDEX IF NOT EXISTS export_periods_written ON export_periods (export_id, period)
  WHERE state = 'written';
CREATE INDEX IF NOT EXISTS export_periods_former ON export_periods (export_id, remove_at) WHERE state = 'former';
COMMENT ON TABLE export_periods IS 'What scheduled exports have written';
COMMENT ON COLUMN export_periods.export_id IS 'The export [none]';
COMMENT ON COLUMN export_periods.period IS 'Day or hour of receipt: 2026-11-01, 2026-11-01T13 [none]';
COMMENT ON COLUMN export_periods.revision IS 'Revision of the period, from 1 [none]';
COMMENT ON COLUMN export_periods.state IS 'writing, written, former (replaced, and still there) or removed [none]';
COMMENT ON COLUMN export_periods.fingerprint IS 'What the rows came to: others come to something else [none]';
COMMENT ON COLUMN export_periods.rows IS 'Rows written [none]';
COMMENT ON COLUMN export_periods.bytes IS 'Bytes of all parts [none]';
COMMENT ON COLUMN export_periods.complete_until IS 'Up to when records were complete as it was written [none]';
COMMENT ON COLUMN export_periods.written_at IS 'When it was whole [none]';
COMMENT ON COLUMN export_periods.checked_at IS 'When its rows were compared with the fingerprint last [none]';
COMMENT ON COLUMN export_periods.remove_at IS 'When a former revision goes [none]';

CREATE TABLE IF NOT EXISTS export_backfills (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  export_id integer NOT NULL REFERENCES scheduled_exports ON DELETE CASCADE,
  from_day date NOT NULL,
  to_day date NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS export_backfills_by_export ON export_backfills (export_id);
COMMENT ON TABLE export_backfills IS 'Days before an export was made that are written too';
COMMENT ON COLUMN export_backfills.id IS 'Identifier [none]';
COMMENT ON COLUMN export_backfills.export_id IS 'The export [none]';
COMMENT ON COLUMN export_backfills.from_day IS 'First day [none]';
COMMENT ON COLUMN export_backfills.to_day IS 'Last day [none]';
COMMENT ON COLUMN export_backfills.asked_at IS 'When it was asked for [none]';

-- The audit log notes changes of exports as those of webhooks.
CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON scheduled_exports REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON scheduled_exports REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change('id', 'id');
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON scheduled_exports REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
