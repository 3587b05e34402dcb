-- Step sortable. The rows with what they are sorted by: up to three metrics or dimensions, as numbers and texts, the
-- latter once for each direction; then all dimensions. What has no value comes last. Step: measured.
SELECT
  dimensions, labels, metrics, unconverted,
  -- Numbers of days in the order of numbers.
  arrayMap((name, value) -> if(name = 'day_n', leftPad(value, 3, '0'), value), {dimensions:Array(String)}, dimensions)
    AS in_order,
  arrayMap((name, is_descending) -> if(indexOf({metrics:Array(String)}, name) = 0, NULL,
      if(is_descending, -1, 1) * metrics[greatest(1, indexOf({metrics:Array(String)}, name))]),
    {order:Array(String)}, {descending:Array(Bool)}) AS numbers,
  arrayMap((name, is_descending) -> if(is_descending OR indexOf({dimensions:Array(String)}, name) = 0, '',
      in_order[greatest(1, indexOf({dimensions:Array(String)}, name))]),
    {order:Array(String)}, {descending:Array(Bool)}) AS texts,
  arrayMap((name, is_descending) -> if(NOT is_descending OR indexOf({dimensions:Array(String)}, name) = 0, '',
      in_order[greatest(1, indexOf({dimensions:Array(String)}, name))]),
    {order:Array(String)}, {descending:Array(Bool)}) AS texts_backwards
FROM measured
