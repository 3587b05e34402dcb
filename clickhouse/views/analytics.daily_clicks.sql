-- One row per campaign and day of receipt, with lists of its clicks.
CREATE OR REPLACE VIEW analytics.daily_clicks
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT * EXCEPT version
FROM adtrail.daily_clicks FINAL
COMMENT 'Clicks by campaign and day: what figures of clicks are counted from';
