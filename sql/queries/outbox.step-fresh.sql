-- Step fresh. One row per message that was not settled before; now it is. Step: messages.
INSERT INTO outbox_settled (day, postback_id)
SELECT DISTINCT day, postback_id FROM messages
ON CONFLICT DO NOTHING
RETURNING postback_id
