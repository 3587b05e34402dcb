-- One row per decided install of a part of a run, as install-records.fill-installs.sql packed it.
SELECT
  project_id, install_id,
  CAST(record,
    'Tuple(app_id String, platform String, reinstall UInt8, install_time Int64, campaign_id UInt32, ad_set_id String,
      ad_set_name String, ad_id String, ad_name String, ad_type String, keyword_id String, keyword_name String,
      touch_type String, is_suspicious UInt8)') AS decision
FROM adtrail.journey_records
-- Before anything is unpacked.
PREWHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND kind = 'decision'
