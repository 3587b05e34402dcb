-- Step chosen. The messages that are to be sent once more: to partner $3 and by webhook $4 alone, where these are not
-- null, those of $5, IDs, and those that tell of events $6, where these are not null. Step: messages.
SELECT DISTINCT ON (postback_id) *
FROM messages
WHERE ($3::integer IS NULL OR (partner_id = $3 AND kind = 1))
  AND ($4::integer IS NULL OR webhook_id = $4)
  AND ($5::uuid[] IS NULL OR postback_id = ANY($5))
  AND ($6::text[] IS NULL OR event = ANY($6))
ORDER BY postback_id, place
