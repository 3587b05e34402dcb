-- name: network-accounts
-- One row per ad-network account of project $1.
SELECT external_customer_id, id FROM network_accounts WHERE project_id = $1;

-- name: campaigns
-- One row per campaign of project $1 with one of the display_ids $2, unless it is deleted.
SELECT display_id, id FROM campaigns WHERE project_id = $1 AND display_id = ANY ($2) AND deleted_at IS NULL;

-- name: spend-receipt
-- The number of a receipt of ad spend.
SELECT nextval('spend_receipts') AS receipt;

-- name: store-refusals
-- Counts of what collectors refused, from one process: the JSON array $1 holds one object per row of the table.
INSERT INTO collector_refusals (minute, project_id, source, reason, field, process, refused)
SELECT minute, project_id, source, reason, field, process, refused
FROM jsonb_populate_recordset(NULL::collector_refusals, $1::jsonb)
ON CONFLICT (minute, project_id, source, reason, field, process) DO UPDATE
SET refused = greatest(collector_refusals.refused, excluded.refused);

-- name: forget-refusals
-- Counts of before $1 go.
DELETE FROM collector_refusals WHERE minute < $1;
