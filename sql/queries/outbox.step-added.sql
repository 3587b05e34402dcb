-- Step added. One row per message that is to be sent now. What a backup that was restored has events of is held.
-- Steps: messages, fresh.
INSERT INTO outbox (
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host, is_held
)
SELECT
  postback_id, lane, template_id, webhook_id, withhold, project_id, partner_id, event, run_id, subject, host,
  coalesce(received_at <= (SELECT max(events_until) FROM restores), false)
FROM messages
WHERE postback_id IN (SELECT postback_id FROM fresh)
ORDER BY place, kind
ON CONFLICT (postback_id) DO NOTHING
RETURNING postback_id
