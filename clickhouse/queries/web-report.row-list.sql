-- Value row_list: the number of the row of each touch of touch_list. Step: touches.
(SELECT arrayPushBack(groupArray(row), 0) FROM (SELECT row FROM touches ORDER BY touch))
