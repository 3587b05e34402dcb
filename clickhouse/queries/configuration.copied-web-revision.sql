-- The greatest revision of any campaign copied so far; 0 before the first.
SELECT max(revision) AS revision FROM adtrail.web_campaigns
