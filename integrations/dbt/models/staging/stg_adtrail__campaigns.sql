-- One row per campaign, deleted ones too, and one, with ID 0, for what no campaign is credited with.
SELECT
  campaign_id,
  display_id AS campaign,
  name AS campaign_name,
  partner_name AS partner,
  if(known.network != '', lower(known.network), lower(replaceAll(partner_name, ' ', '_'))) AS network,
  if(custom_channel != '', custom_channel, network) AS channel,
  -- The clicks of an ad network's own campaigns are the network's to count.
  known.network = '' OR network_campaign_id = '' OR web_to_app AS has_own_clicks
FROM {{ source('adtrail', 'campaigns') }} AS known
WHERE {{ in_project() }}
UNION ALL
SELECT 0, 'organic', 'Organic', '', '', '', 1
