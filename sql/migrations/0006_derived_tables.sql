-- What the tables that reports read depend on.

-- The settings with which the journeys of a project were derived; where the project has others they are derived anew.
CREATE TABLE journey_settings (
  project_id integer PRIMARY KEY REFERENCES projects,
  timezone text NOT NULL,
  inactivity_days integer NOT NULL
);

-- Numbers the turns in which journeys and click days are derived: of two rows with one key that of the later turn counts.
CREATE SEQUENCE derivation_turns;

-- The order of campaigns in which a report's first page was given, so that its further pages go on in it while figures change.
CREATE TABLE report_orders (
  project_id integer NOT NULL REFERENCES projects,
  parameters text NOT NULL,
  campaign_ids integer[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, parameters)
);
CREATE INDEX ON report_orders (created_at);
