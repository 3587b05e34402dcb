-- The smallest version, so the latest receipt, among the rows of {today}; 0 where there are none.
SELECT min(v) AS v
FROM adtrail.{table:Identifier}
WHERE bucket = {today:Date}
