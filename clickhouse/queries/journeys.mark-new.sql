-- Takes up the installs that something was stored about at these moments, an event or a decision.
INSERT INTO adtrail.journey_batches (turn, chunk, round, project_id, install_id)
SELECT {turn:UInt64}, cityHash64(install_id) % {chunks:UInt16}, 0, project_id, install_id
FROM (
  SELECT project_id, install_id FROM adtrail.app_events
  WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}) AND ({all_events:Bool} OR toUnixTimestamp64Milli(stored_at) IN {events:Array(Int64)})
  UNION ALL
  SELECT project_id, install_id FROM adtrail.installs
  WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}) AND ({all_installs:Bool} OR toUnixTimestamp64Milli(stored_at) IN {installs:Array(Int64)})
)
GROUP BY project_id, install_id
