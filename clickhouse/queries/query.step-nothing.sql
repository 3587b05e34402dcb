-- Step starts, happenings, clicks or ad_network of queries that ask for none of it. No rows. Function: key_of.
SELECT
  key_of('', '', '', '', '', '', '', '', '', '', '', '', '', toDate(0), toUInt8(0), toDate(0), 0) AS key,
  '' AS campaign_name, (toDateTime64(0, 3, 'UTC'), '') AS ad_set_named, (toDateTime64(0, 3, 'UTC'), '') AS ad_named,
  (toDateTime64(0, 3, 'UTC'), '') AS keyword_named, CAST(map(), 'Map(String, Decimal(76, 18))') AS counted,
  CAST([], 'Array(String)') AS unconverted
WHERE 0
