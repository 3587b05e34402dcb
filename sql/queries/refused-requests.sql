-- name: store
-- Samples of refused requests, from one process: the JSON array $1 holds one object per row of the table.
INSERT INTO refused_requests (received_at, partner_id, project_id, campaign_id, kind, reason, tid, query)
SELECT received_at, partner_id, project_id, campaign_id, kind, reason, tid, query
FROM jsonb_populate_recordset(NULL::refused_requests, $1::jsonb);

-- name: forget-old
-- Samples of before $1 go.
DELETE FROM refused_requests WHERE received_at < $1;

-- name: forget-many
-- Keeps the latest $2 samples of each of the partners $1 and each reason.
DELETE FROM refused_requests
WHERE id IN (
  SELECT id
  FROM (
    SELECT id, row_number() OVER (PARTITION BY partner_id, reason ORDER BY id DESC) AS place
    FROM refused_requests
    WHERE partner_id = ANY($1::integer[])
  ) AS placed
  WHERE place > $2::integer
);

-- name: list
-- One row per sample, the latest first: $1 is whose (a partner) or null, $2 the project that it named or null, of
-- partners that work with it. With reason $3, kind $4, tid $5 and ID $6, each null for any; before the sample $7 if
-- that is not null; $8 rows.
SELECT
  refused.id, refused.received_at, refused.kind, refused.reason, refused.tid, refused.query, refused.project_id,
  projects.name AS project, refused.partner_id, partners.name AS partner, campaigns.display_id,
  campaigns.name AS campaign
FROM refused_requests AS refused
JOIN partners ON partners.id = refused.partner_id
LEFT JOIN projects ON projects.id = refused.project_id
LEFT JOIN campaigns ON campaigns.id = refused.campaign_id
WHERE ($1::integer IS NULL OR refused.partner_id = $1)
  AND ($2::integer IS NULL OR refused.project_id = $2 AND (
    EXISTS (SELECT FROM partner_switches
      WHERE partner_switches.project_id = $2 AND partner_switches.partner_id = refused.partner_id)
    OR EXISTS (SELECT FROM campaigns WHERE campaigns.project_id = $2 AND campaigns.partner_id = refused.partner_id)))
  AND ($3::text IS NULL OR refused.reason = $3)
  AND ($4::text IS NULL OR refused.kind = $4)
  AND ($5::text IS NULL OR refused.tid = $5)
  AND ($6::bigint IS NULL OR refused.id = $6)
  AND ($7::bigint IS NULL OR refused.id < $7)
ORDER BY refused.id DESC
LIMIT $8;
