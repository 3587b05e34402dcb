-- Value paused_touch_list: the touches of campaigns that were ever paused, in order. The last one matches nothing, as
-- in touch_list. Step: touches.
(
  SELECT arrayPushBack(groupArray(touch), 18446744073709551615)
  FROM (SELECT touch FROM touches WHERE has({paused_campaigns:Array(UInt32)}, campaign_id) ORDER BY touch)
)
