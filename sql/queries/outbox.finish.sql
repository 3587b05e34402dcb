-- Ends what became of messages: those of $1 are done, or given up, and go. Those behind them may be taken up.
WITH
  done AS (
    DELETE FROM outbox WHERE postback_id = ANY($1::uuid[]) RETURNING lane, place
  ),
  next AS (
    SELECT behind.postback_id
    FROM done
    CROSS JOIN LATERAL (
      SELECT postback_id FROM outbox WHERE outbox.lane = done.lane AND outbox.place > done.place ORDER BY place LIMIT 1
    ) AS behind
  )
UPDATE outbox SET due_at = now() WHERE postback_id IN (SELECT postback_id FROM next) AND due_at > now()
