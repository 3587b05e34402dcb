-- One row per part of a run in the table {table} of a derived table's batches.
SELECT DISTINCT chunk FROM adtrail.{table:Identifier} WHERE run_id = {run_id:UInt64} ORDER BY chunk
