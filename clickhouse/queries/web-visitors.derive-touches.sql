-- Writes one row per touch that is not there yet, among the events of the visitors after {after}, up to {up_to}
-- unless that is empty: of everybody, or of those with an event stored at one of {insert_times} since {since} or
-- among {repeats}.
INSERT INTO adtrail.web_touches
SELECT DISTINCT
  project_id, touch, channel, source, utm_source, utm_medium, utm_campaign, utm_id, utm_content, utm_term,
    network_campaign_id, ad_set_id, ad_id,
  {version:UInt64}
FROM adtrail.web_events
WHERE touch != 0
  AND visitor_id > {after:String} AND ({up_to:String} = '' OR visitor_id <= {up_to:String})
  AND (
    {everybody:Bool}
    OR (project_id, visitor_id) IN (
      SELECT project_id, visitor_id
      FROM adtrail.web_events
      WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
        AND ({all:Bool} OR toUnixTimestamp64Milli(stored_at) IN {insert_times:Array(Int64)})
      UNION ALL
      SELECT project_id, visitor_id FROM adtrail.web_events WHERE id IN {repeats:Array(UUID)}
    )
  )
  AND (project_id, touch) NOT IN (SELECT project_id, touch FROM adtrail.web_touches)
