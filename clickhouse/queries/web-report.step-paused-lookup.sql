-- Step paused_lookup. One row with lists of equal order: the touches of campaigns that were ever paused, and the place of
-- each one's campaign in {paused_campaigns}. They end as those of the step lookup. Step: touches.
SELECT
  arrayPushBack(groupArray(touch), 18446744073709551615) AS touch_list,
  arrayPushBack(groupArray(place), 0) AS place_list
FROM (
  SELECT touch, toUInt64(indexOf({paused_campaigns:Array(UInt32)}, campaign_id)) AS place
  FROM touches
  WHERE place > 0
  ORDER BY touch
)
