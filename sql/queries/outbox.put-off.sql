-- Messages of $1 were tried once more without success, and are due again at the time beside them in $2 (milliseconds).
UPDATE outbox
SET attempts = attempts + 1, due_at = to_timestamp(later.due_at / 1000)
FROM unnest($1::uuid[], $2::double precision[]) AS later (postback_id, due_at)
WHERE outbox.postback_id = later.postback_id
