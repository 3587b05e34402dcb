-- Value touch_list: the touches, in order. The last one matches nothing: transform() takes no empty list. Step:
-- touches.
(SELECT arrayPushBack(groupArray(touch), 18446744073709551615) FROM (SELECT touch FROM touches ORDER BY touch))
