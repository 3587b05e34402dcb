-- The greatest number of a part of a run in the table {table} of a derived table's batches.
SELECT max(chunk) AS chunk FROM adtrail.{table:Identifier} WHERE run_id = {run_id:UInt64}
