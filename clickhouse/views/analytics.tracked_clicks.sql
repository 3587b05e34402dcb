-- One row per click, as figures by hour, country and platform count it.
CREATE OR REPLACE VIEW analytics.tracked_clicks
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT project_id, campaign_id, click_id, click_time, ad_set_id, ad_id, keyword_id, platform, country
FROM adtrail.clicks FINAL
COMMENT 'Clicks with the platform that they count for: what figures by hour and country are counted from';
