-- How far the derived tables of ClickHouse have come.

-- One row per materialization: everything stored in its source tables up to watermark is taken in. recent_rows says
-- how many rows each source had then in the minute before the watermark, so that an insert that became visible late
-- is noticed.
CREATE TABLE watermarks (
  name text PRIMARY KEY,
  watermark timestamptz(3) NOT NULL,
  recent_rows jsonb NOT NULL
);

-- Versions of derived rows: of two rows with one key that of the later run counts. Even numbers, so that a run can
-- write something that is older than itself and newer than every run before it.
CREATE SEQUENCE materialization_versions START 2 INCREMENT 2;

-- The settings with which a materialization derived the rows of a project; where the project has others by now, they
-- are derived again.
CREATE TABLE materialization_settings (
  name text NOT NULL,
  project_id integer NOT NULL REFERENCES projects,
  timezone text NOT NULL,
  inactivity_days integer NOT NULL,
  PRIMARY KEY (name, project_id)
);
