-- Step replayed. One row per message that is sent once more; one that waits to be sent is not. Step: chosen.
INSERT INTO outbox (
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host, is_replay
)
SELECT
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host, true
FROM chosen
ORDER BY place, kind
ON CONFLICT (postback_id) DO NOTHING
RETURNING postback_id
