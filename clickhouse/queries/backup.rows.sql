-- The rows of one partition of a table, with the columns that are inserted.
SELECT *
FROM {database:Identifier}.{table:Identifier}
WHERE _partition_id = {partition:String}
