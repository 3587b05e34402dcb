-- One row per journey: an install, reinstall or re-engagement with what followed it.
CREATE OR REPLACE VIEW analytics.journeys
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT * EXCEPT (layout, version, is_deleted)
FROM adtrail.journeys FINAL
COMMENT 'Installs, reinstalls and re-engagements with what followed: what app figures are counted from';
