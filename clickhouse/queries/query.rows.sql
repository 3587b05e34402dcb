-- All rows of a query in their order, to be written to a file. Step: sortable.
SELECT dimensions, labels, metrics
FROM sortable
ORDER BY
  numbers[1], texts[1], texts_backwards[1] DESC,
  numbers[2], texts[2], texts_backwards[2] DESC,
  numbers[3], texts[3], texts_backwards[3] DESC,
  in_order
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
