-- name: create
-- Notes an upload of project $1 before any of its rows is stored.
INSERT INTO spend_uploads (project_id, receipt, name, made_by, rows, first_day, last_day, sums)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING id;

-- name: set-stored
-- All rows of upload $1 are stored.
UPDATE spend_uploads SET state = 'stored' WHERE id = $1 AND state = 'storing';

-- name: list
-- One row per upload of project $1 before upload $2 (null for the latest), the latest first, at most $3; only upload $4
-- where it is not null.
SELECT id, state, name, made_by, created_at, rows, first_day, last_day, sums, undone_by, undone_at, restored, removed,
  kept
FROM spend_uploads
WHERE project_id = $1 AND ($2::integer IS NULL OR id < $2) AND ($4::integer IS NULL OR id = $4)
ORDER BY id DESC
LIMIT $3;

-- name: set-undoing
-- Upload $1 is being undone, by $2, with so many rows restored, removed and kept.
UPDATE spend_uploads
SET state = 'undoing', undone_by = $2, undone_at = now(), restored = $3, removed = $4, kept = $5
WHERE id = $1 AND state IN ('storing', 'stored');

-- name: set-undone
-- What upload $1 replaced is in force again.
UPDATE spend_uploads SET state = 'undone' WHERE id = $1 AND state = 'undoing';

-- name: undone
-- One row per upload of project $1 that is not in force any more.
SELECT id FROM spend_uploads WHERE project_id = $1 AND state IN ('undoing', 'undone');

-- name: later
-- Whether an upload of project $1 has begun after receipt $2.
SELECT EXISTS (SELECT FROM spend_uploads WHERE project_id = $1 AND receipt > $2) AS yes;

-- name: accounts
-- One row per network account of project $1.
SELECT external_customer_id AS account, network, currency FROM network_accounts WHERE project_id = $1 ORDER BY id;

-- name: first-rates
-- One row per currency of $1 that has exchange rates: the first day that any applies to.
SELECT currency, min(date) AS since FROM exchange_rates WHERE currency = ANY ($1) GROUP BY currency;

-- name: currency
-- One row: the currency of project $1.
SELECT currency FROM projects WHERE id = $1;
