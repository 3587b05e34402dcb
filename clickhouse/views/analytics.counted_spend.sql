-- One row per row of ad spend that counts: no level is summed twice.
CREATE OR REPLACE VIEW analytics.counted_spend
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT * EXCEPT version
FROM adtrail.counted_spend
COMMENT 'The rows of ad_spend that count: each amount of money exactly once';
