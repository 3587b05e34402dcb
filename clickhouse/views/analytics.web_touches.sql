-- One row per touch that visits are credited to.
CREATE OR REPLACE VIEW analytics.web_touches
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT * EXCEPT version
FROM adtrail.web_touches FINAL
COMMENT 'What landing pages and referrers speak of: what web visits are credited to';
