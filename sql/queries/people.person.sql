-- The person of a session that has not ended, with the roles; one row or none. $1 is the SHA-256 of the cookie, $2 now,
-- $3 the time before which a session has begun too long ago, used or not.
SELECT sessions.id AS session_id, sessions.created_at AS since, sessions.last_seen_at,
  users.id, users.email, users.name,
  coalesce(jsonb_agg(jsonb_build_object('role', memberships.role, 'account_id', memberships.account_id,
    'partner_id', memberships.partner_id)) FILTER (WHERE memberships.id IS NOT NULL), '[]') AS memberships
FROM sessions
JOIN users ON users.id = sessions.user_id
LEFT JOIN memberships ON memberships.user_id = users.id
WHERE sessions.sha256 = $1 AND sessions.expires_at > $2 AND sessions.created_at > $3
GROUP BY sessions.id, users.id
