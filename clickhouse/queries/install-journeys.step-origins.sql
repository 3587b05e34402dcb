-- One row per install of a part of a run: by which rule it was decided, and what is known of its install event. Read
-- where it lies, and not copied for the run: a person who is being forgotten leaves no text of theirs in a copy.
SELECT
  project_id, install_id,
  anyIf(record, kind = 'rule') AS rule,
  anyIf(record, kind = 'origin') AS country,
  anyIf(versions, kind = 'origin')[1] AS os_version,
  anyIf(versions, kind = 'origin')[2] AS app_version
FROM (
  SELECT project_id, install_id, kind, record, versions
  FROM adtrail.records_by_install
  PREWHERE kind IN ('origin', 'rule') AND install IN (
    SELECT reinterpretAsUUID(sipHash128(project_id, install_id)) FROM adtrail.journey_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  )
  ORDER BY version DESC
  LIMIT 1 BY install, kind
)
GROUP BY project_id, install_id
