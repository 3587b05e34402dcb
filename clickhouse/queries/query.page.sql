-- One page of the rows of a query in their order, with the number of all rows, and the currencies that any of them left
-- out because they have no rate. {only}, where not empty, are the rows that are wanted of them. Step: sortable.
SELECT dimensions, labels, metrics, total, left_out
FROM (
  SELECT
    dimensions, labels, metrics, numbers, texts, texts_backwards, in_order, count() OVER () AS total,
    groupUniqArrayArray(unconverted) OVER () AS left_out
  FROM sortable
  -- After the windows: as a condition on the rows it would be tried at every step below, for as long again as it takes
  -- to plan them.
  QUALIFY empty({only:Array(Array(String))}) OR has({only:Array(Array(String))}, dimensions)
)
ORDER BY
  numbers[1], texts[1], texts_backwards[1] DESC,
  numbers[2], texts[2], texts_backwards[2] DESC,
  numbers[3], texts[3], texts_backwards[3] DESC,
  in_order
LIMIT {limit:UInt32} OFFSET {offset:UInt32}
