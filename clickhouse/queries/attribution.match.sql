-- Reads the touches that share an identifier with an install of run {run_id}, or that its referrer names: one row per
-- touch and identifier.
--
-- For each identifier and kind of touch, the latest {max_touches} before an install are read, so that an address that a
-- million clicks came from costs no more than any other. They are counted for each install, from its time back to that
-- of the install before it on the same identifier: so what an install gets does not depend on the others of its run.
--
-- Thousands of small reads that lie far apart: with these settings many of them wait for the disk at the same time.
INSERT INTO adtrail.attribution_matches (
  run_id, project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, kind, app_id,
  os, has_gaid, has_idfa, vt_lookback, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name, version
)
WITH
  -- One row per install and identifier that a touch can share with it.
  identifiers AS (
    SELECT DISTINCT
      project_id, match, key, bitShiftRight(sipHash64(project_id, match, key), 16) AS identifier, install_time
    FROM adtrail.attribution_batches
    ARRAY JOIN
      ['gaid', 'idfa', 'ip', 'referrer'] AS match,
      [
        ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip),
        ifNull(toString(referrer_click_id), '')
      ] AS key
    WHERE run_id = {run_id:UInt64} AND key != ''
  ),

  -- Touches that may share one of them, by its hash.
  found AS (
    SELECT touch_id
    FROM (
      SELECT identifier, touch_type, touch_time, touch_id
      FROM adtrail.touches_by_identifier
      -- Before the other columns are read.
      PREWHERE identifier IN (SELECT identifier FROM identifiers WHERE match != 'referrer')
    ) AS touch
    ASOF LEFT JOIN identifiers AS install
      ON touch.identifier = install.identifier AND touch.touch_time <= install.install_time
    ORDER BY touch_time DESC
    LIMIT {max_touches:UInt32} BY touch.identifier, touch_type, install.install_time
  ),

  -- As first received. What a delivery that came later names does not count.
  touches AS (
    SELECT touch_id, version, CAST(touch,
      'Tuple(project_id UInt32, touch_type String, touch_time Int64, received_at Int64, campaign_id UInt32,
        partner_id UInt32, kind String, app_id String, os String, gaid String, idfa String, ip String,
        vt_lookback Nullable(UInt8), ad_set_id String, ad_set_name String, ad_id String, ad_name String,
        keyword_id String, keyword_name String)') AS detail
    FROM (
      SELECT touch_id, version, touch
      FROM adtrail.touches_by_id
      PREWHERE touch_id IN (
        SELECT touch_id FROM found
        UNION ALL
        SELECT toUUID(key) FROM identifiers WHERE match = 'referrer'
      )
      ORDER BY version DESC
      LIMIT 1 BY touch_id
    )
  ),

  -- One row per touch and identifier of its own.
  touches_by_key AS (
    SELECT
      detail.project_id AS project_id, match, key, touch_id, version, detail,
      fromUnixTimestamp64Milli(detail.touch_time, 'UTC') AS touch_time
    FROM touches
    ARRAY JOIN
      ['gaid', 'idfa', 'ip', 'referrer'] AS match,
      [detail.gaid, detail.idfa, detail.ip, if(detail.touch_type = 'click', toString(touch_id), '')] AS key
    WHERE (project_id, match, key) IN (SELECT project_id, match, key FROM identifiers)
  )

SELECT
  {run_id:UInt64}, touch.project_id, touch.match, touch.key, detail.touch_type AS touch_type, touch_id, touch_time,
  fromUnixTimestamp64Milli(detail.received_at, 'UTC'), detail.campaign_id, detail.partner_id,
  detail.kind, detail.app_id, detail.os, detail.gaid != '', detail.idfa != '',
  detail.vt_lookback, detail.ad_set_id, detail.ad_set_name, detail.ad_id, detail.ad_name,
  detail.keyword_id, detail.keyword_name, version
FROM touches_by_key AS touch
ASOF LEFT JOIN identifiers AS install
  ON touch.project_id = install.project_id AND touch.match = install.match AND touch.key = install.key
  AND touch.touch_time <= install.install_time
ORDER BY touch_time DESC
LIMIT {max_touches:UInt32} BY touch.project_id, touch.match, touch.key, touch_type, install.install_time
SETTINGS max_bytes_before_external_sort = 500000000, max_threads = 16, local_filesystem_read_method = 'pread',
  merge_tree_min_rows_for_concurrent_read = 1, merge_tree_min_bytes_for_concurrent_read = 1
