-- How many messages would be sent once more: what waits to be sent anyway does not count. Step: chosen.
SELECT count(*)::integer AS messages
FROM chosen
WHERE NOT EXISTS (SELECT FROM outbox WHERE outbox.postback_id = chosen.postback_id)
