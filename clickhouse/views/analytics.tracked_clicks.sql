-- One row per click, as figures by hour, country, device, system, referrer and platform count it.
CREATE OR REPLACE VIEW analytics.tracked_clicks
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT project_id, campaign_id, click_id, click_time, ad_set_id, ad_id, keyword_id, platform, country, device_type,
  os_name, referrer
FROM adtrail.clicks FINAL
COMMENT 'Clicks with the platform that they count for: what figures by hour, country and device are counted from';
