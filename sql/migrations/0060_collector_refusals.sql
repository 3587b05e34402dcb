-- What the collectors refused lately, for people who set a project up. Counts only: no event is kept.

-- One row per project, minute, collector, reason, field and process that counted: how often so far. Rows go after two
-- hours.
CREATE TABLE IF NOT EXISTS collector_refusals (
  minute timestamptz(0) NOT NULL,
  project_id integer NOT NULL REFERENCES projects,
  source text NOT NULL CHECK (source IN ('app', 'web', 'spend')),
  reason text NOT NULL,
  field text NOT NULL,
  process uuid NOT NULL,
  refused bigint NOT NULL,
  PRIMARY KEY (minute, project_id, source, reason, field, process)
);
COMMENT ON TABLE collector_refusals IS 'What the collectors refused in the last two hours, by minute';
COMMENT ON COLUMN collector_refusals.minute IS 'Minute in which it came [none]';
COMMENT ON COLUMN collector_refusals.project_id IS 'Project whose key it came with [none]';
COMMENT ON COLUMN collector_refusals.source IS 'Collector: app, web or spend [none]';
COMMENT ON COLUMN collector_refusals.reason IS 'Reason, as the answer gave it [none]';
COMMENT ON COLUMN collector_refusals.field IS 'Field, as the answer gave it, cut at 64 characters [none]';
COMMENT ON COLUMN collector_refusals.process IS 'Process that counted, by a random name [none]';
COMMENT ON COLUMN collector_refusals.refused IS 'How many it had counted [none]';
