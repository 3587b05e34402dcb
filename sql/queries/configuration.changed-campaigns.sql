-- One row per campaign changed since revision $1, as adtrail.campaigns in ClickHouse holds it. A change may have been
-- copied in part, so those of revision $1 itself come again.
SELECT campaigns.id AS campaign_id, campaigns.project_id, campaigns.display_id, campaigns.name,
  coalesce(campaigns.partner_id, 0) AS partner_id, coalesce(partners.name, '') AS partner_name,
  upper(coalesce(campaigns.network, '')) AS network, coalesce(custom_channels.name, '') AS custom_channel,
  coalesce(campaigns.network_campaign_id, '') AS network_campaign_id,
  campaigns.utm_ids, campaigns.web_to_app::int AS web_to_app, campaigns.active::int AS active,
  (campaigns.deleted_at IS NOT NULL)::int AS deleted, 2 AS layout, campaigns.revision
FROM campaigns
LEFT JOIN partners ON partners.id = campaigns.partner_id
LEFT JOIN custom_channels ON custom_channels.id = campaigns.custom_channel_id
WHERE campaigns.revision >= $1
ORDER BY campaigns.revision
