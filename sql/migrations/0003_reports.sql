-- The order of campaigns in which a report's first page was given: its further pages go on in it while figures change.
CREATE TABLE report_orders (
  project_id integer NOT NULL REFERENCES projects,
  parameters text NOT NULL,
  campaign_ids integer[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, parameters)
);
CREATE INDEX ON report_orders (created_at);
