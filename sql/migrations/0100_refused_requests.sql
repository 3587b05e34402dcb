-- Samples of S2S requests that were refused, for the partners who sent them. Advertising IDs are cut, addresses are
-- networks at most, tokens and what is not read is left out: a sample tells of no person.

-- One row per sample. The latest 100 of each partner and reason are kept, for seven days.
CREATE TABLE IF NOT EXISTS refused_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at timestamptz(3) NOT NULL,
  partner_id integer NOT NULL REFERENCES partners,
  project_id integer REFERENCES projects,
  campaign_id integer,
  kind text NOT NULL CHECK (kind IN ('click', 'impression', 'ctv_impression')),
  reason text NOT NULL,
  tid text NOT NULL,
  query text NOT NULL
);
CREATE INDEX IF NOT EXISTS refused_requests_by_reason ON refused_requests (partner_id, reason, id DESC);
CREATE INDEX IF NOT EXISTS refused_requests_by_tid ON refused_requests (tid, partner_id);
CREATE INDEX IF NOT EXISTS refused_requests_by_project ON refused_requests (project_id, id DESC);
CREATE INDEX IF NOT EXISTS refused_requests_by_time ON refused_requests (received_at);
COMMENT ON TABLE refused_requests IS 'Samples of refused S2S requests of the last seven days';
COMMENT ON COLUMN refused_requests.id IS 'Number of the sample: a later one has a greater number [none]';
COMMENT ON COLUMN refused_requests.received_at IS 'When the request came [none]';
COMMENT ON COLUMN refused_requests.partner_id IS 'Partner of its token [none]';
COMMENT ON COLUMN refused_requests.project_id IS 'Project that it named; null where it is not known [none]';
COMMENT ON COLUMN refused_requests.campaign_id IS 'Campaign of the partner that it named; null if not known [none]';
COMMENT ON COLUMN refused_requests.kind IS 'Endpoint: click, impression or ctv_impression [none]';
COMMENT ON COLUMN refused_requests.reason IS 'Reason, as the answer gave it [none]';
COMMENT ON COLUMN refused_requests.tid IS 'Unique ID of the touch as it was sent; empty if none [pseudonymous]';
COMMENT ON COLUMN refused_requests.query IS 'What was sent, as a query string, without token and device [pseudonymous]';
