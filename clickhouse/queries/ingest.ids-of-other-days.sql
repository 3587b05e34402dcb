-- One row per ID received on another day than {today}, from {since} on: what the filter of known IDs is filled with.
SELECT {id_column:Identifier}
FROM adtrail.{table:Identifier}
WHERE bucket != {today:Date} AND bucket >= {since:Date}
