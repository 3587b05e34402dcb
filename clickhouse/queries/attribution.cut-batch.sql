-- Puts installs of run {run_id}, of {projects} or, where none is named, of all, into run {cut_id}: as many as together
-- have at most {budget} candidates, touches and other installs that share an identifier with them, and at least one. Of
-- each project the first ones received; projects that need least come first, so that one with a busy address holds up
-- nobody else. Of one identifier and kind of touch {max_touches} are counted at most.
INSERT INTO adtrail.attribution_batches (
  run_id, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
  country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution
)
WITH
  taken AS (
    SELECT *
    FROM adtrail.attribution_batches
    WHERE run_id = {run_id:UInt64} AND (empty({projects:Array(UInt32)}) OR has({projects:Array(UInt32)}, project_id))
  ),

  -- One row per install and identifier; a touch and an install are found by different ones.
  identifiers AS (
    SELECT
      project_id, install_id,
      arrayJoin([
        bitShiftRight(sipHash64(project_id, match, key), 16), bitShiftRight(sipHash64(project_id, 'device', key), 16)
      ]) AS identifier
    FROM taken
    ARRAY JOIN
      ['gaid', 'idfa', 'ip'] AS match,
      [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip)] AS key
    WHERE key != ''
  ),

  found AS (
    SELECT identifier, least(count(), {max_touches:UInt32}) AS candidates
    FROM adtrail.touches_by_identifier
    PREWHERE identifier IN (SELECT identifier FROM identifiers)
    GROUP BY identifier, touch_type
    UNION ALL
    SELECT identifier, count() AS candidates
    FROM adtrail.installs_by_identifier
    PREWHERE identifier IN (SELECT identifier FROM identifiers)
    GROUP BY identifier
  ),

  sizes AS (
    SELECT project_id, install_id, sum(candidates) AS candidates
    FROM identifiers
    INNER JOIN (SELECT identifier, sum(candidates) AS candidates FROM found GROUP BY identifier) AS found
      ON identifiers.identifier = found.identifier
    GROUP BY project_id, install_id
  ),

  -- With the candidates of all installs of the project up to this one.
  batch AS (
    SELECT *, sum(candidates) OVER (PARTITION BY project_id ORDER BY received_at, install_id) AS of_project
    FROM (
      SELECT batch.*, 1 + sizes.candidates AS candidates
      FROM taken AS batch
      LEFT ANY JOIN sizes ON batch.project_id = sizes.project_id AND batch.install_id = sizes.install_id
    )
  )

SELECT
  {cut_id:UInt64}, project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip,
  ip_hash, country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution
FROM batch
WINDOW in_order AS (ORDER BY of_project, project_id, received_at, install_id)
QUALIFY sum(candidates) OVER in_order <= {budget:UInt64} OR row_number() OVER in_order = 1
SETTINGS max_threads = 16, local_filesystem_read_method = 'pread', merge_tree_min_rows_for_concurrent_read = 1,
  merge_tree_min_bytes_for_concurrent_read = 1
