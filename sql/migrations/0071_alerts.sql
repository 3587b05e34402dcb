-- Alerts and scheduled reports of projects, whom they are sent to, and what became of each message.

CREATE TABLE alerts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  question jsonb,
  question_id integer,
  condition jsonb NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  turn bigint NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  judged text,
  judged_at timestamptz(3),
  outcome jsonb,
  UNIQUE (project_id, name),
  -- A question that an alert asks is not deleted.
  FOREIGN KEY (project_id, question_id) REFERENCES saved_questions (project_id, id),
  CHECK (question IS NULL OR question_id IS NULL)
);
CREATE INDEX alerts_question ON alerts (project_id, question_id);
CREATE INDEX alerts_due ON alerts (due_at) WHERE enabled;
COMMENT ON TABLE alerts IS 'What a project wants to be told of';
COMMENT ON COLUMN alerts.id IS 'ID of the alert [none]';
COMMENT ON COLUMN alerts.project_id IS 'Project that it belongs to [none]';
COMMENT ON COLUMN alerts.name IS 'What it is called, unique in its project [none]';
COMMENT ON COLUMN alerts.question IS 'The question; null where it is a saved one, or the condition needs none [none]';
COMMENT ON COLUMN alerts.question_id IS 'The saved question; null where there is none [none]';
COMMENT ON COLUMN alerts.condition IS 'What it waits for [none]';
COMMENT ON COLUMN alerts.enabled IS 'Whether it is judged [none]';
COMMENT ON COLUMN alerts.created_by IS 'Who made it: of those who run advertising [none]';
COMMENT ON COLUMN alerts.created_at IS 'When it was made [none]';
COMMENT ON COLUMN alerts.updated_at IS 'When it was changed last [none]';
COMMENT ON COLUMN alerts.turn IS 'Counts judgements and changes: a judgement of a former turn is not noted [none]';
COMMENT ON COLUMN alerts.due_at IS 'When it is judged next; while it is being judged, when another may [none]';
COMMENT ON COLUMN alerts.judged IS 'Days or hours that were judged last [none]';
COMMENT ON COLUMN alerts.judged_at IS 'When they were [none]';
COMMENT ON COLUMN alerts.outcome IS 'What came of it [none]';

-- One row per value of its dimension for which an alert has fired and is not over.
CREATE TABLE alert_breaches (
  alert_id integer NOT NULL REFERENCES alerts ON DELETE CASCADE,
  value text NOT NULL,
  label text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (alert_id, value)
);
COMMENT ON TABLE alert_breaches IS 'Where alerts have fired and are not over';
COMMENT ON COLUMN alert_breaches.alert_id IS 'The alert [none]';
COMMENT ON COLUMN alert_breaches.value IS 'Value of its dimension; empty without one [none]';
COMMENT ON COLUMN alert_breaches.label IS 'What the value is called [none]';
COMMENT ON COLUMN alert_breaches.since IS 'When it fired [none]';

CREATE TABLE alert_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id integer NOT NULL REFERENCES alerts ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('fired', 'over')),
  at timestamptz(3) NOT NULL DEFAULT now(),
  details jsonb NOT NULL
);
CREATE INDEX alert_events_by_alert ON alert_events (alert_id, id);
COMMENT ON TABLE alert_events IS 'When alerts fired, and were over';
COMMENT ON COLUMN alert_events.id IS 'Identifier [none]';
COMMENT ON COLUMN alert_events.alert_id IS 'The alert [none]';
COMMENT ON COLUMN alert_events.kind IS 'fired or over [none]';
COMMENT ON COLUMN alert_events.at IS 'When that was found out [none]';
COMMENT ON COLUMN alert_events.details IS 'The range and the figures that were judged [none]';

CREATE TABLE schedules (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  board_id integer NOT NULL,
  every text NOT NULL CHECK (every IN ('day', 'week', 'month')),
  weekday smallint CHECK (weekday BETWEEN 1 AND 7),
  month_day smallint CHECK (month_day BETWEEN 1 AND 31),
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  enabled boolean NOT NULL DEFAULT true,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  next_at timestamptz(3),
  UNIQUE (project_id, name),
  FOREIGN KEY (project_id, board_id) REFERENCES boards (project_id, id) ON DELETE CASCADE,
  CHECK ((every = 'week') = (weekday IS NOT NULL) AND (every = 'month') = (month_day IS NOT NULL))
);
CREATE INDEX schedules_board ON schedules (project_id, board_id);
CREATE INDEX schedules_due ON schedules (next_at) WHERE enabled;
COMMENT ON TABLE schedules IS 'Boards that are mailed at fixed times';
COMMENT ON COLUMN schedules.id IS 'ID of the schedule [none]';
COMMENT ON COLUMN schedules.project_id IS 'Project that it belongs to [none]';
COMMENT ON COLUMN schedules.name IS 'What it is called, unique in its project [none]';
COMMENT ON COLUMN schedules.board_id IS 'The board; with it the schedule is deleted [none]';
COMMENT ON COLUMN schedules.every IS 'day, week or month [none]';
COMMENT ON COLUMN schedules.weekday IS 'Of a week: 1 for Monday to 7 for Sunday [none]';
COMMENT ON COLUMN schedules.month_day IS 'Of a month: the day, or the last one of a shorter month [none]';
COMMENT ON COLUMN schedules.hour IS 'Hour of the day in the time zone of the project [none]';
COMMENT ON COLUMN schedules.enabled IS 'Whether it is sent [none]';
COMMENT ON COLUMN schedules.created_by IS 'Who made it: of those who run advertising [none]';
COMMENT ON COLUMN schedules.created_at IS 'When it was made [none]';
COMMENT ON COLUMN schedules.updated_at IS 'When it was changed last [none]';
COMMENT ON COLUMN schedules.next_at IS 'When it is due next [none]';

-- One row per time at which a schedule was due, or somebody asked for it: the ledger by which it is sent once.
CREATE TABLE schedule_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schedule_id integer NOT NULL REFERENCES schedules ON DELETE CASCADE,
  due_at timestamptz(3),
  as_of timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (schedule_id, due_at)
);
COMMENT ON TABLE schedule_runs IS 'When schedules were due, each time once';
COMMENT ON COLUMN schedule_runs.id IS 'Identifier [none]';
COMMENT ON COLUMN schedule_runs.schedule_id IS 'The schedule [none]';
COMMENT ON COLUMN schedule_runs.due_at IS 'When it was due; null where somebody asked for it [none]';
COMMENT ON COLUMN schedule_runs.as_of IS 'The moment whose day the ranges of the board end with [none]';
COMMENT ON COLUMN schedule_runs.created_at IS 'When it was noted [none]';

CREATE TABLE notice_receivers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id integer REFERENCES alerts ON DELETE CASCADE,
  schedule_id integer REFERENCES schedules ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('email', 'webhook', 'slack')),
  address text,
  url text,
  secret text,
  CHECK ((alert_id IS NULL) <> (schedule_id IS NULL)),
  CHECK ((kind = 'email') = (address IS NOT NULL) AND (kind = 'email') = (url IS NULL))
);
CREATE INDEX notice_receivers_by_alert ON notice_receivers (alert_id);
CREATE INDEX notice_receivers_by_schedule ON notice_receivers (schedule_id);
COMMENT ON TABLE notice_receivers IS 'Whom alerts and schedules are sent to';
COMMENT ON COLUMN notice_receivers.id IS 'Identifier [none]';
COMMENT ON COLUMN notice_receivers.alert_id IS 'The alert; null of a schedule [none]';
COMMENT ON COLUMN notice_receivers.schedule_id IS 'The schedule; null of an alert [none]';
COMMENT ON COLUMN notice_receivers.kind IS 'email, webhook or slack [none]';
COMMENT ON COLUMN notice_receivers.address IS 'E-mail address: of those who run advertising [none]';
COMMENT ON COLUMN notice_receivers.url IS 'URL of a webhook or of Slack, sealed, for it is a secret [none]';
COMMENT ON COLUMN notice_receivers.secret IS 'Secret that signs what a webhook is sent, sealed; null of others [none]';

-- An address that does not want it stays so, whatever happens to the list of receivers.
CREATE TABLE notice_unsubscriptions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id integer REFERENCES alerts ON DELETE CASCADE,
  schedule_id integer REFERENCES schedules ON DELETE CASCADE,
  address text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((alert_id IS NULL) <> (schedule_id IS NULL)),
  UNIQUE NULLS NOT DISTINCT (alert_id, schedule_id, address)
);
CREATE INDEX notice_unsubscriptions_by_schedule ON notice_unsubscriptions (schedule_id);
COMMENT ON TABLE notice_unsubscriptions IS 'Addresses that do not want an alert or a schedule any more';
COMMENT ON COLUMN notice_unsubscriptions.id IS 'Identifier [none]';
COMMENT ON COLUMN notice_unsubscriptions.alert_id IS 'The alert; null of a schedule [none]';
COMMENT ON COLUMN notice_unsubscriptions.schedule_id IS 'The schedule; null of an alert [none]';
COMMENT ON COLUMN notice_unsubscriptions.address IS 'The address in lower case: of those who run advertising [none]';
COMMENT ON COLUMN notice_unsubscriptions.at IS 'Since when [none]';

-- One row per message to one receiver, kept as a ledger for 90 days.
CREATE TABLE notices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  event_id bigint REFERENCES alert_events ON DELETE CASCADE,
  run_id bigint REFERENCES schedule_runs ON DELETE CASCADE,
  receiver_id integer REFERENCES notice_receivers ON DELETE SET NULL,
  address text,
  shown text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed', 'dropped')),
  attempts integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  done_at timestamptz(3),
  CHECK ((event_id IS NULL) <> (run_id IS NULL))
);
CREATE INDEX notices_due ON notices (due_at) WHERE state = 'waiting';
CREATE INDEX notices_by_event ON notices (event_id);
CREATE INDEX notices_by_run ON notices (run_id);
CREATE INDEX notices_by_receiver ON notices (receiver_id);
CREATE INDEX notices_by_age ON notices (created_at);
COMMENT ON TABLE notices IS 'Messages of alerts and schedules, each to one receiver, and what became of them';
COMMENT ON COLUMN notices.id IS 'Identifier [none]';
COMMENT ON COLUMN notices.message_id IS 'The same at every attempt, so that a repeat is recognised [none]';
COMMENT ON COLUMN notices.event_id IS 'What an alert tells; null of a schedule [none]';
COMMENT ON COLUMN notices.run_id IS 'What a schedule sends; null of an alert [none]';
COMMENT ON COLUMN notices.receiver_id IS 'Whom it goes to; null where that is gone, or somebody asked for it [none]';
COMMENT ON COLUMN notices.address IS 'Address of who asked for it: of those who run advertising [none]';
COMMENT ON COLUMN notices.shown IS 'The receiver as it is shown [none]';
COMMENT ON COLUMN notices.state IS 'waiting, sent, failed or dropped [none]';
COMMENT ON COLUMN notices.attempts IS 'Attempts that have begun [none]';
COMMENT ON COLUMN notices.error IS 'Why the last attempt failed, or it was dropped [none]';
COMMENT ON COLUMN notices.created_at IS 'When it was noted [none]';
COMMENT ON COLUMN notices.due_at IS 'When it is sent; meanwhile, when another process may [none]';
COMMENT ON COLUMN notices.done_at IS 'When it was sent or given up [none]';
