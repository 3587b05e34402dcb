-- How many rows there are of other days than {today}, from {since} on.
SELECT count() AS rows
FROM adtrail.{table:Identifier}
WHERE bucket != {today:Date} AND bucket >= {since:Date}
