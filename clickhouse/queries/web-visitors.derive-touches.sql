-- Writes a row for each touch that is not there yet among the events of the visitors after {after}, up to {up_to} unless
-- that is empty, of whom something has arrived.
INSERT INTO adtrail.web_touches
SELECT DISTINCT
  project_id, touch, channel, source, utm_source, utm_medium, utm_campaign, utm_id, utm_content, utm_term, network_campaign_id, ad_set_id, ad_id,
  {derived_at:UInt64}
FROM adtrail.web_events
WHERE touch != 0
  AND visitor_id > {after:String} AND ({up_to:String} = '' OR visitor_id <= {up_to:String})
  AND {{has_arrived}}
  AND (project_id, touch) NOT IN (SELECT project_id, touch FROM adtrail.web_touches)
