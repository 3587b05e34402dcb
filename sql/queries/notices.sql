-- name: receivers
-- One row per receiver of alerts $1 and schedules $2, in the order in which they were added.
SELECT
  receiver.id, receiver.alert_id, receiver.schedule_id, receiver.kind, receiver.address, receiver.url, receiver.secret,
  (
    SELECT refused.at
    FROM notice_unsubscriptions AS refused
    WHERE refused.alert_id IS NOT DISTINCT FROM receiver.alert_id
      AND refused.schedule_id IS NOT DISTINCT FROM receiver.schedule_id
      AND refused.address = lower(receiver.address)
  ) AS unsubscribed_at
FROM notice_receivers AS receiver
WHERE receiver.alert_id = ANY($1::integer[]) OR receiver.schedule_id = ANY($2::integer[])
ORDER BY receiver.id;

-- name: add-receiver
-- Adds a receiver of kind $3 to alert $1 or schedule $2.
INSERT INTO notice_receivers (alert_id, schedule_id, kind, address, url, secret)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id;

-- name: change-receiver
-- Gives receiver $1 address $2 or URL $3.
UPDATE notice_receivers SET address = $2, url = $3 WHERE id = $1;

-- name: remove-receivers
-- Removes the receivers of alert $1 or schedule $2 but those of $3, IDs.
DELETE FROM notice_receivers
WHERE alert_id IS NOT DISTINCT FROM $1 AND schedule_id IS NOT DISTINCT FROM $2 AND NOT id = ANY($3::integer[]);

-- name: add-for-event
-- Notes a message of event $1 for each receiver of its alert that wants it.
INSERT INTO notices (event_id, receiver_id, shown)
SELECT $1, receiver.id, coalesce(receiver.address, receiver.kind)
FROM alert_events AS event
JOIN notice_receivers AS receiver ON receiver.alert_id = event.alert_id
WHERE event.id = $1
  AND NOT EXISTS (
    SELECT FROM notice_unsubscriptions AS refused
    WHERE refused.alert_id = event.alert_id AND refused.address = lower(receiver.address)
  );

-- name: add-for-run
-- Notes a message of run $1 for each receiver of its schedule that wants it.
INSERT INTO notices (run_id, receiver_id, shown)
SELECT $1, receiver.id, coalesce(receiver.address, receiver.kind)
FROM schedule_runs AS run
JOIN notice_receivers AS receiver ON receiver.schedule_id = run.schedule_id
WHERE run.id = $1
  AND NOT EXISTS (
    SELECT FROM notice_unsubscriptions AS refused
    WHERE refused.schedule_id = run.schedule_id AND refused.address = lower(receiver.address)
  );

-- name: add-for-asker
-- Notes a message of run $1 for who asked for it, at address $2.
INSERT INTO notices (run_id, address, shown) VALUES ($1, $2, $2);

-- name: take-up
-- Takes up to $1 messages up that are due, for $2 seconds; one row per message, with its receiver and what it is about.
-- Mails only where $3 says that this process sends them, or after a day in which none did.
WITH taken AS (
  UPDATE notices
  SET due_at = now() + make_interval(secs => $2), attempts = attempts + 1
  WHERE id IN (
    SELECT notice.id
    FROM notices AS notice
    WHERE notice.state = 'waiting' AND notice.due_at <= now()
      AND (
        $3 OR notice.created_at < now() - INTERVAL '1 day'
        OR EXISTS (SELECT FROM notice_receivers WHERE id = notice.receiver_id AND kind != 'email')
      )
    ORDER BY notice.due_at
    LIMIT $1
    FOR UPDATE OF notice SKIP LOCKED
  )
  RETURNING id, message_id, event_id, run_id, receiver_id, address, attempts
)
SELECT
  taken.id, taken.message_id, taken.event_id, taken.run_id, taken.attempts,
  coalesce(receiver.kind, CASE WHEN taken.address IS NOT NULL THEN 'email' END) AS kind,
  coalesce(taken.address, receiver.address) AS address, receiver.url, receiver.secret,
  event.alert_id, run.schedule_id,
  EXISTS (
    SELECT
    FROM notice_unsubscriptions AS refused
    WHERE taken.receiver_id IS NOT NULL
      AND refused.alert_id IS NOT DISTINCT FROM event.alert_id
      AND refused.schedule_id IS NOT DISTINCT FROM run.schedule_id
      AND refused.address = lower(receiver.address)
  ) AS is_refused
FROM taken
LEFT JOIN notice_receivers AS receiver ON receiver.id = taken.receiver_id
LEFT JOIN alert_events AS event ON event.id = taken.event_id
LEFT JOIN schedule_runs AS run ON run.id = taken.run_id;

-- name: note
-- Notes that attempt $2 of message $1 ended in state $3 with error $4; one that waits again is due at $5.
UPDATE notices
SET state = $3, error = $4, due_at = coalesce($5, due_at), done_at = CASE WHEN $3 = 'waiting' THEN NULL ELSE now() END
WHERE id = $1 AND attempts = $2 AND state = 'waiting';

-- name: forget-old
-- Removes what was noted more than $1 days ago: messages, events of alerts and runs of schedules.
WITH
  old_events AS (DELETE FROM alert_events WHERE at < now() - make_interval(days => $1)),
  old_runs AS (DELETE FROM schedule_runs WHERE created_at < now() - make_interval(days => $1))
DELETE FROM notices WHERE created_at < now() - make_interval(days => $1);

-- name: unsubscribe
-- Notes that an address, $3 in lower case, does not want alert $1 or schedule $2 any more, where there is such a one.
INSERT INTO notice_unsubscriptions (alert_id, schedule_id, address)
SELECT $1, $2, $3
WHERE EXISTS (SELECT FROM alerts WHERE id = $1) OR EXISTS (SELECT FROM schedules WHERE id = $2)
ON CONFLICT DO NOTHING;

-- name: subject-of-unsubscription
-- One row: what alert $1 or schedule $2 is called; none where it is gone.
SELECT name FROM alerts WHERE id = $1
UNION ALL
SELECT name FROM schedules WHERE id = $2;
