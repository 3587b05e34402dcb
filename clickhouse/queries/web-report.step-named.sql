-- Step named. One row per row of the report and one with the totals: with the campaign that its ID means, where rows
-- are campaigns, and the values to sort by. Steps: summed, campaign_keys.
SELECT
  summed.id AS id, is_total, main_source, merged, visitors, sessions, page_views, signups, unique_signup_users,
  signup_visitors, purchases, revenue, event_counts, truncated,
  campaign.campaign_id AS campaign_id,
  multiIf(summed.id = '', {no_key:String}, campaign.name != '', campaign.name, summed.id) AS name,
  if({sort_order:String} = 'ascending', 1, -1) * multiIf(
    {sort_field:String} = 'visitors', visitors,
    {sort_field:String} = 'page_views', page_views,
    {sort_field:String} = 'sessions', sessions,
    {sort_field:String} = 'signups', signups,
    {sort_field:String} = 'unique_signup_users', unique_signup_users,
    {sort_field:String} = 'purchases', purchases,
    {sort_field:String} = 'revenue', revenue,
    0) AS sort_number,
  if({sort_field:String} = 'name' AND {sort_order:String} = 'ascending', name, '') AS sort_name,
  if({sort_field:String} = 'name' AND {sort_order:String} = 'descending', name, '') AS sort_name_backwards
FROM summed
LEFT JOIN (
  SELECT key, campaign_id, name
  FROM campaign_keys
  WHERE {group_by:String} = 'campaign' OR ({group_by:String} = 'network_campaign' AND network = upper({channel:String}))
) AS campaign ON summed.id = campaign.key
