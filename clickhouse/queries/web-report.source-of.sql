-- Function source_of: a number for the source of a touch. Step: lookup.
touch -> transform(touch, (SELECT touch_list FROM lookup), (SELECT source_list FROM lookup), toUInt64(0))
