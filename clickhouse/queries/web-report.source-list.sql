-- Value source_list: a number for the source of each touch of touch_list. Step: touches.
(SELECT arrayPushBack(groupArray(source), 0) FROM (SELECT sipHash64(source) AS source FROM touches ORDER BY touch))
