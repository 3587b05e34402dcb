-- name: user
-- One person.
SELECT id, email, name, password, totp_secret, totp_last_step, recovery_codes, proven_at FROM users WHERE id = $1;

-- name: link
-- A link that still works, by the SHA-256 of its token, with the names of its place and of its maker, and whether its
-- person is known: who follows a mail comes new to an account whose address nobody has proven.
SELECT links.id, links.kind, coalesce(links.email, person.email) AS email, links.role, links.account_id,
  links.partner_id, links.user_id, links.expires_at, links.made_by, links.mailed, links.invited_by, maker.name AS maker,
  CASE links.kind WHEN 'invitation' THEN coalesce(accounts.name, partners.name) END AS place,
  known.id IS NOT NULL AND NOT (links.mailed AND known.proven_at IS NULL) AS known
FROM sign_in_links AS links
LEFT JOIN users AS person ON person.id = links.user_id
LEFT JOIN users AS known ON known.email = links.email
LEFT JOIN users AS maker ON maker.id = links.made_by
LEFT JOIN accounts ON accounts.id = links.account_id
LEFT JOIN partners ON partners.id = links.partner_id
WHERE links.sha256 = $1 AND links.used_at IS NULL AND links.expires_at > $2;

-- name: sessions
-- The sessions of a person that have not ended, the latest used first.
SELECT id, created_at, last_seen_at, expires_at, address, user_agent
FROM sessions WHERE user_id = $1 AND expires_at > $2
ORDER BY last_seen_at DESC, id DESC
LIMIT 1000;

-- name: person
-- The person of a session that has not ended, with the roles; one row or none. $1 is the SHA-256 of the cookie, $2 now,
-- $3 the time before which a session has begun too long ago, used or not.
SELECT sessions.id AS session_id, sessions.created_at AS since, sessions.last_seen_at,
  users.id, users.email, users.name,
  coalesce(jsonb_agg(jsonb_build_object('role', memberships.role, 'account_id', memberships.account_id,
    'partner_id', memberships.partner_id, 'analyst_sql', accounts.analyst_sql))
    FILTER (WHERE memberships.id IS NOT NULL), '[]') AS memberships
FROM sessions
JOIN users ON users.id = sessions.user_id
LEFT JOIN memberships ON memberships.user_id = users.id
LEFT JOIN accounts ON accounts.id = memberships.account_id
WHERE sessions.sha256 = $1 AND sessions.expires_at > $2 AND sessions.created_at > $3
GROUP BY sessions.id, users.id;

-- name: audit-log
-- The latest entries first, of one account, or of all with a null; each filter counts where it is not null.
SELECT id, at, actor, actor_name, address, account_id, project_id, partner_id, action, subject, name, before, after
FROM audit_log
WHERE ($1::integer IS NULL OR account_id = $1)
  AND ($2::bigint IS NULL OR id < $2)
  AND ($3::text IS NULL OR position(lower($3) IN lower(actor_name)) > 0)
  AND ($4::text IS NULL OR action = $4)
  AND ($5::text IS NULL OR subject = $5)
  AND ($6::timestamptz IS NULL OR at >= $6)
  AND ($7::timestamptz IS NULL OR at < $7)
  AND ($8::integer IS NULL OR project_id = $8)
ORDER BY id DESC
LIMIT $9;

-- name: names-of-fields
-- One row per ID that entries of the audit log name in a field, with what it is called today; what is gone has none.
-- $1 are the fields, $2 the IDs.
SELECT given.field, given.id, coalesce(accounts.name, projects.name, partners.name, campaigns.name, domains.name,
  custom_channels.name, network_accounts.external_customer_id, store_listings.name, users.name) AS name
FROM unnest($1::text[], $2::integer[]) AS given (field, id)
LEFT JOIN accounts ON given.field = 'account_id' AND accounts.id = given.id
LEFT JOIN projects ON given.field = 'project_id' AND projects.id = given.id
LEFT JOIN partners ON given.field = 'partner_id' AND partners.id = given.id
LEFT JOIN campaigns ON given.field = 'campaign_id' AND campaigns.id = given.id
LEFT JOIN domains ON given.field = 'domain_id' AND domains.id = given.id
LEFT JOIN custom_channels ON given.field = 'custom_channel_id' AND custom_channels.id = given.id
LEFT JOIN network_accounts ON given.field = 'network_account_id' AND network_accounts.id = given.id
LEFT JOIN store_listings ON given.field = 'store_listing_ids' AND store_listings.id = given.id
LEFT JOIN users ON given.field IN ('user_id', 'made_by') AND users.id = given.id;

-- name: invitation
-- One invitation that nobody has followed.
SELECT id, email, role, account_id, partner_id FROM sign_in_links
WHERE id = $1 AND kind = 'invitation' AND used_at IS NULL;

-- name: touch-session
-- Moves the end of a session that is used. $2 is now, $3 the new end, $4 the days after which it ends, used or not.
UPDATE sessions SET last_seen_at = $2, expires_at = least($3::timestamptz, created_at + $4 * INTERVAL '1 day')
WHERE id = $1;

-- name: create-session
-- A session of a person who has signed in.
INSERT INTO sessions (sha256, user_id, address, user_agent, created_at, last_seen_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $5, $6);

-- name: forget-old-sessions
-- Sessions and links that have ended. $1 is now; links stay for a month.
WITH links AS (DELETE FROM sign_in_links WHERE expires_at < $1::timestamptz - INTERVAL '30 days')
DELETE FROM sessions WHERE expires_at < $1;

-- name: end-session
-- Ends one session of a person.
DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING id;

-- name: end-sessions
-- Ends all sessions of a person but one; all with null.
DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2;

-- name: user-by-email
-- One person by the address in lower case.
SELECT id, email, name, password, totp_secret, totp_last_step, recovery_codes, proven_at FROM users WHERE email = $1;

-- name: lock-user
-- One person, locked against other changes until the transaction ends.
SELECT id, email, name, password, totp_secret, totp_last_step, recovery_codes, proven_at FROM users WHERE id = $1
FOR NO KEY UPDATE;

-- name: prove-user
-- Who signs in has proven the address of a person, of which nobody knew whose it is: what let others in goes, but for
-- the password $2 that is set now; null for none. $3 is now.
UPDATE users
SET proven_at = $3, password = $2, totp_secret = NULL, totp_last_step = 0, recovery_codes = '{}'
WHERE id = $1;

-- name: create-user
-- A new person; no row where somebody has the address already.
INSERT INTO users (email, name, password, proven_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (email) DO NOTHING
RETURNING id;

-- name: rename
-- The name of a person.
UPDATE users SET name = $2 WHERE id = $1;

-- name: set-password
-- The password of a person, as its hash. $3: whether who sets it is known to be the person; else nobody is any more.
UPDATE users SET password = $2, proven_at = CASE WHEN $3 THEN proven_at END WHERE id = $1;

-- name: use-code
-- Uses up the codes of a second factor up to a step; no row where another request was first.
UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2 RETURNING id;

-- name: use-recovery-code
-- Uses up a recovery code; no row where the person has no such code. $2 is its SHA-256.
UPDATE users SET recovery_codes = array_remove(recovery_codes, $2) WHERE id = $1 AND $2 = ANY (recovery_codes)
RETURNING id;

-- name: set-second-factor
-- Turns the second factor of a person on, or off with a null.
UPDATE users SET totp_secret = $2, totp_last_step = $3, recovery_codes = $4 WHERE id = $1;

-- name: create-link
-- A link that lets somebody in once. Who makes it is who acts in the transaction.
INSERT INTO sign_in_links
  (sha256, kind, email, role, account_id, partner_id, user_id, invited_by, mailed, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id;

-- name: end-links
-- Ends the open links that a new one replaces: for a password those of the same person, else those of the same kind,
-- address and place.
UPDATE sign_in_links SET used_at = $6
WHERE used_at IS NULL AND kind = $1 AND user_id IS NOT DISTINCT FROM $5 AND (
  kind = 'password' OR (email IS NOT DISTINCT FROM $2
    AND account_id IS NOT DISTINCT FROM $3 AND partner_id IS NOT DISTINCT FROM $4)
);

-- name: end-link
-- Ends a link that nobody has followed.
UPDATE sign_in_links SET used_at = $2 WHERE id = $1 AND used_at IS NULL;

-- name: show-link
-- Notes that a link was not mailed after all, and is shown to who has made it.
UPDATE sign_in_links SET mailed = false WHERE id = $1;

-- name: links-made-by
-- The open links that a person has made. $2 is now.
SELECT id, kind, role, account_id, partner_id, user_id, made_by FROM sign_in_links
WHERE made_by = $1 AND used_at IS NULL AND expires_at > $2
ORDER BY id;

-- name: mailed-since
-- One row where the service has mailed a link for a new password to a person since $2, and it is open. $3 is now.
SELECT id FROM sign_in_links
WHERE kind = 'password' AND user_id = $1 AND mailed AND created_at > $2 AND used_at IS NULL AND expires_at > $3
LIMIT 1;

-- name: use-link
-- Uses a link up.
UPDATE sign_in_links SET used_at = $2, followed_at = $2 WHERE id = $1;

-- name: invitations
-- Invitations of a place that nobody has followed. $1 account, $2 partner, both null for operators.
SELECT id, email, role, created_at, expires_at, invited_by
FROM sign_in_links
WHERE kind = 'invitation' AND used_at IS NULL AND expires_at > $3
  AND account_id IS NOT DISTINCT FROM $1 AND partner_id IS NOT DISTINCT FROM $2
ORDER BY id
LIMIT 1000;

-- name: invitations-of
-- Invitations for an address that still work: a provider vouches for the address.
SELECT id, kind, role, account_id, partner_id, user_id, made_by, invited_by FROM sign_in_links
WHERE kind = 'invitation' AND email = $1 AND used_at IS NULL AND expires_at > $2
ORDER BY id;

-- name: put-membership
-- Gives a person a role in a place. Who has one there keeps it: roles of members are changed, not given again.
INSERT INTO memberships (user_id, role, account_id, partner_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, coalesce(account_id, 0), coalesce(partner_id, 0)) DO NOTHING;

-- name: is-member
-- One row where a person with this address is a member of a place. $2 account, $3 partner, both null for operators.
SELECT memberships.id FROM memberships JOIN users ON users.id = memberships.user_id
WHERE users.email = $1
  AND memberships.account_id IS NOT DISTINCT FROM $2 AND memberships.partner_id IS NOT DISTINCT FROM $3;

-- name: members
-- The members of a place. $1 account, $2 partner, both null for operators.
SELECT memberships.id, users.name, users.email, memberships.role, memberships.created_at,
  (SELECT max(sessions.last_seen_at) FROM sessions WHERE sessions.user_id = users.id) AS last_seen_at,
  users.totp_secret IS NOT NULL AS second_factor
FROM memberships JOIN users ON users.id = memberships.user_id
WHERE memberships.account_id IS NOT DISTINCT FROM $1 AND memberships.partner_id IS NOT DISTINCT FROM $2
  AND (memberships.role = 'operator') = ($1::integer IS NULL AND $2::integer IS NULL)
ORDER BY lower(users.name), memberships.id
LIMIT 10000;

-- name: memberships-of
-- What a person is, in each place.
SELECT memberships.id, memberships.role, memberships.account_id, memberships.partner_id, accounts.analyst_sql
FROM memberships
LEFT JOIN accounts ON accounts.id = memberships.account_id
WHERE memberships.user_id = $1;

-- name: membership
-- One membership with its person, locked against other changes.
SELECT memberships.id, memberships.user_id, memberships.role, memberships.account_id, memberships.partner_id,
  users.email, users.name
FROM memberships JOIN users ON users.id = memberships.user_id
WHERE memberships.id = $1
FOR UPDATE OF memberships;

-- name: count-role
-- How many have a role in a place. $1 role, $2 account, $3 partner.
SELECT count(*)::integer AS count FROM memberships
WHERE role = $1 AND account_id IS NOT DISTINCT FROM $2 AND partner_id IS NOT DISTINCT FROM $3;

-- name: set-role
-- Another role for a member.
UPDATE memberships SET role = $2 WHERE id = $1;

-- name: delete-membership
-- Takes a member out.
DELETE FROM memberships WHERE id = $1;

-- name: end-readers
-- Ends the users of ClickHouse that a person has made and could not make any more: one row for each. $2 are the roles
-- that may, $3 is now.
UPDATE project_readers AS reader SET ended_at = $3
FROM projects
WHERE reader.made_by = $1 AND reader.ended_at IS NULL AND projects.id = reader.project_id
  AND NOT EXISTS (
    SELECT FROM memberships
    WHERE memberships.user_id = $1 AND memberships.role = ANY ($2::text[])
      AND (memberships.role = 'operator' OR memberships.account_id = projects.account_id)
  )
RETURNING reader.name;

-- name: places
-- Accounts, partners and projects by name: all, or those in $1 (accounts) and $2 (partners).
SELECT 'account' AS kind, id, name, NULL::integer AS account_id, NULL AS currency, NULL AS timezone,
  NULL::double precision AS target_roas, NULL AS locale
FROM accounts WHERE $3 OR id = ANY ($1::integer[])
UNION ALL
SELECT 'partner', id, name, NULL, NULL, NULL, NULL, NULL FROM partners WHERE $3 OR id = ANY ($2::integer[])
UNION ALL
SELECT 'project', id, name, account_id, currency, timezone, target_roas, locale
FROM projects WHERE $3 OR account_id = ANY ($1::integer[])
ORDER BY 1, 3, 2;

-- name: uncopied-audit-log
-- The oldest entries that are not in ClickHouse yet, as its table has them.
SELECT id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS at, actor, actor_name, address,
  coalesce(account_id, 0) AS changed_account_id, coalesce(project_id, 0) AS changed_project_id,
  coalesce(partner_id, 0) AS changed_partner_id, action, subject, name,
  coalesce(before::text, '') AS before, coalesce(after::text, '') AS after
FROM audit_log
WHERE copied_at IS NULL
ORDER BY id
LIMIT $1;

-- name: note-copied-audit-log
-- Notes that entries are in ClickHouse.
UPDATE audit_log SET copied_at = now() WHERE id = ANY ($1::bigint[]);

-- name: has-operator
-- Whether anybody operates the installation.
SELECT EXISTS (SELECT FROM memberships WHERE role = 'operator') AS yes;
