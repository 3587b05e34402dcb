-- The smallest version, so the latest receipt, among the rows of {today}; 0 where there are none.
SELECT min(version) AS version
FROM adtrail.{table:Identifier}
WHERE bucket = {today:Date}
