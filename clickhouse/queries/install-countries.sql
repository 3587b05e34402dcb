-- name: select-former
-- Takes up, as run {run_id}, up to {installs} decided installs without a country that were stored from {since} on
-- (milliseconds), after the one that {project_id} and {install_id} name, in the order in which they lie.
INSERT INTO adtrail.attribution_batches (run_id, project_id, install_id)
SELECT {run_id:UInt64}, project_id, install_id
FROM adtrail.installs FINAL
WHERE (project_id, install_id) > ({project_id:UInt32}, {install_id:String})
  AND stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND country = '' AND is_deleted = 0
ORDER BY project_id, install_id
LIMIT {installs:UInt32};

-- name: last
-- The last install that run {run_id} took up, in the order in which they lie; none where it took up none.
SELECT project_id, install_id
FROM adtrail.attribution_batches
WHERE run_id = {run_id:UInt64}
ORDER BY project_id DESC, install_id DESC
LIMIT 1;

-- name: fill
-- Writes the decisions of run {run_id} again, as they are and stored when they were, with the country of the install
-- event received first; those whose country is not known stay as they are. Of two rows of one version the later counts.
INSERT INTO adtrail.installs
WITH
  taken AS (SELECT project_id, install_id FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64}),

  events AS (
    SELECT project_id, install_id, argMax(country, version) AS known_country
    FROM adtrail.app_events FINAL
    PREWHERE (project_id, install_id) IN (SELECT project_id, install_id FROM taken)
    WHERE type = 'install'
    GROUP BY project_id, install_id
    HAVING known_country != ''
  )
SELECT decision.* REPLACE (event.known_country AS country)
FROM (
  SELECT *
  FROM adtrail.installs FINAL
  PREWHERE (project_id, install_id) IN (SELECT project_id, install_id FROM taken)
  WHERE is_deleted = 0
) AS decision
INNER JOIN events AS event ON decision.project_id = event.project_id AND decision.install_id = event.install_id;
