-- One row per event of a part of a run, as install-records.fill-app-events.sql packed it.
SELECT
  project_id, install_id, if(event.id = '', record_key, toUUIDOrZero(event.id)) AS id,
  user,
  CAST(record,
    'Tuple(id String, type String, time Int64, link_campaign_id UInt32, name String, payment_type String,
      currency String, amount Nullable(Decimal(38, 9)))') AS event
FROM adtrail.journey_records
-- Before anything is unpacked.
PREWHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16} AND kind = 'event'
