-- What is to be sent, until it is. Nothing of a person stands here, and no install: what a message says is in
-- adtrail.outbox_events of ClickHouse.

-- One row per message that was settled, for as long as an event may be told of by itself: a message that is here is not
-- settled again, whatever is repeated.
CREATE TABLE outbox_settled (
  day date NOT NULL,
  postback_id uuid NOT NULL,
  PRIMARY KEY (day, postback_id)
);
COMMENT ON COLUMN outbox_settled.day IS 'UTC day on which the event was received [none]';
COMMENT ON COLUMN outbox_settled.postback_id IS 'The message [pseudonymous]';

-- One row per message that is not delivered yet.
CREATE TABLE outbox (
  postback_id uuid PRIMARY KEY,
  place bigint GENERATED ALWAYS AS IDENTITY,
  lane bigint NOT NULL,
  template_id integer,
  webhook_id integer,
  withhold text[] NOT NULL DEFAULT '{}',
  project_id integer NOT NULL,
  partner_id integer NOT NULL,
  event text NOT NULL,
  run_id bigint NOT NULL,
  subject uuid NOT NULL,
  host text NOT NULL,
  is_replay boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  settled_at timestamptz(3) NOT NULL DEFAULT now(),
  due_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX outbox_by_host ON outbox (host, due_at);
CREATE INDEX outbox_by_lane ON outbox (lane, place);
CREATE INDEX outbox_by_age ON outbox (settled_at);
-- Rows come and go: what is gone is cleared away early.
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
COMMENT ON COLUMN outbox.postback_id IS 'The message: a function of destination and event [pseudonymous]';
COMMENT ON COLUMN outbox.place IS 'Its place: of one lane, the messages go in this order [none]';
COMMENT ON COLUMN outbox.lane IS 'Hash of its destination and install [pseudonymous]';
COMMENT ON COLUMN outbox.template_id IS 'Template of a postback; null for a webhook [none]';
COMMENT ON COLUMN outbox.webhook_id IS 'The webhook; null for a postback [none]';
COMMENT ON COLUMN outbox.withhold IS 'What the advertiser does not tell: amounts, device_ids [none]';
COMMENT ON COLUMN outbox.project_id IS 'Project of the event [none]';
COMMENT ON COLUMN outbox.partner_id IS 'Partner that the event is credited to; 0 for none [none]';
COMMENT ON COLUMN outbox.event IS 'What is told, for example install or event:<name> [none]';
COMMENT ON COLUMN outbox.run_id IS 'Run that settled it, as in adtrail.outbox_events [none]';
COMMENT ON COLUMN outbox.subject IS 'What it is about, as in adtrail.outbox_events [pseudonymous]';
COMMENT ON COLUMN outbox.host IS 'Host and port that it goes to [none]';
COMMENT ON COLUMN outbox.is_replay IS 'Somebody asked for it to be sent once more [none]';
COMMENT ON COLUMN outbox.attempts IS 'Attempts so far [none]';
COMMENT ON COLUMN outbox.settled_at IS 'When it was settled [none]';
COMMENT ON COLUMN outbox.due_at IS 'When it may be taken up; while it is being sent, when others may [none]';
