-- The greatest revision of any campaign copied so far with all its columns; 0 before the first.
SELECT max(revision) AS revision FROM adtrail.campaigns WHERE layout = 2
