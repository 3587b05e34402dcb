-- A hash of the newest part of each partition of the tables {tables}: as long as it stays the same, nothing has been
-- stored in them. Merges do not change it. It costs a third of a look at the rows. With ClickHouse's clock when this
-- was asked, in milliseconds since 1970.
SELECT
  toUnixTimestamp64Milli(now64(3)) AS until,
  toString(groupBitXor(sipHash64(table, partition_id, newest_block))) AS newest_parts
FROM (
  SELECT table, partition_id, max(max_block_number) AS newest_block
  FROM system.parts
  WHERE database = 'adtrail' AND active AND table IN {tables:Array(String)}
  GROUP BY ALL
)
