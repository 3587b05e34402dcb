-- One row per visitor, with lists of its events.
CREATE OR REPLACE VIEW analytics.web_visitors
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT * EXCEPT version
FROM adtrail.web_visitors FINAL
COMMENT 'Visitors with what their events are credited to: what web figures are counted from';
