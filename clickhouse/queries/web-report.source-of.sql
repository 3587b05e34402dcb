-- Function source_of: a number for the source of a touch.
touch -> transform(touch, touch_list, source_list, toUInt64(0))
