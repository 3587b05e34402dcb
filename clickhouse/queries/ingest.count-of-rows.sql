-- How many rows there are, repeats included.
SELECT count() AS rows FROM adtrail.{table:Identifier}
