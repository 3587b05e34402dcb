-- Writes one row per touch that is not there yet, among the events of the visitors of a part of run {run_id}.
INSERT INTO adtrail.web_touches
SELECT DISTINCT
  project_id, touch, channel, source, utm_source, utm_medium, utm_campaign, utm_id, utm_content, utm_term,
    network_campaign_id, ad_set_id, ad_id,
  {run_id:UInt64}
FROM adtrail.web_events
WHERE touch != 0
  AND (project_id, visitor_id) IN (
    SELECT project_id, visitor_id
    FROM adtrail.web_visitor_batches
    WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
  )
  AND (project_id, touch) NOT IN (SELECT project_id, touch FROM adtrail.web_touches)
