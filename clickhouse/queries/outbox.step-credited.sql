-- Step credited. One row per event of run {run_id}, with whom it is credited to: a re-engagement to the campaign of its
-- link, by no touch, any other event as its install is. Step: returns. Tables: adtrail.outbox_batches,
-- adtrail.campaigns.
SELECT
  event.*, campaign.display_id AS display_id, campaign.name AS campaign_name,
  if(told_touch_type != '' AND touch_partner_id != 0, touch_partner_id, campaign.partner_id) AS partner_id
FROM (
  SELECT
    batch.*, returned.is_return AS is_return,
    multiIf(
      is_return, 'reengagement', type = 'install' AND reinstall, 'reinstall', type = 'event', concat('event:', name),
      type
    ) AS told_as,
    if(is_return, link_campaign_id, campaign_id) AS credited_campaign_id,
    if(is_return, '', CAST(touch_type, 'String')) AS told_touch_type,
    if(is_return, '', CAST(rule, 'String')) AS told_rule,
    if(is_return, NULL, touch_id) AS told_touch_id,
    if(is_return, NULL, touch_time) AS told_touch_time
  FROM adtrail.outbox_batches AS batch
  LEFT ANY JOIN returns AS returned ON batch.project_id = returned.project_id AND batch.id = returned.id
  WHERE run_id = {run_id:UInt64}
) AS event
LEFT ANY JOIN (
  SELECT campaign_id, display_id, name, partner_id FROM adtrail.campaigns FINAL
) AS campaign ON event.credited_campaign_id = campaign.campaign_id
