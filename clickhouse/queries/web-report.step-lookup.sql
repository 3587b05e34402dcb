-- Step lookup. One row with lists of equal order: touches, the number of the row of each, and a number for its source.
-- They end with a pair that matches nothing, since transform() takes no empty list. Step: touches.
SELECT
  arrayPushBack(groupArray(touch), 18446744073709551615) AS touch_list,
  arrayPushBack(groupArray(row), 0) AS row_list,
  arrayPushBack(groupArray(sipHash64(source)), 0) AS source_list
FROM (SELECT touch, row, source FROM touches ORDER BY touch)
