-- Function number_of of web queries: a number of 128 bits for a row of touches and what else an event is grouped by; 0
-- where the row is none. Two hashes, since of those that ClickHouse has of that length each takes several times as
-- long.
(row, hit_key) -> if(row = 0, toUInt128(0),
  toUInt128(cityHash64(row, hit_key)) + bitShiftLeft(toUInt128(xxh3(row, hit_key)), 64))
