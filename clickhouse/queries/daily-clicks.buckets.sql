-- One row per day on which these projects received clicks.
SELECT DISTINCT toString(bucket) AS bucket FROM adtrail.clicks
  WHERE project_id IN {projects:Array(UInt32)} ORDER BY bucket
