-- Value pauses_list: the place in {paused_campaigns} of the campaign of each touch of paused_touch_list. Step: touches.
(
  SELECT arrayPushBack(groupArray(place), 0)
  FROM (
    SELECT toUInt64(indexOf({paused_campaigns:Array(UInt32)}, campaign_id)) AS place
    FROM touches
    WHERE place > 0
    ORDER BY touch
  )
)
