-- Step money, or spent, of queries that ask for none. No rows. Function: key_of.
SELECT
  key_of('', '', '', '', '', '', '', '', '', '', '', '', '', toDate(0), toUInt8(0), toDate(0), 0) AS key,
  '' AS campaign_name, (toDateTime64(0, 3, 'UTC'), '') AS ad_set_named, (toDateTime64(0, 3, 'UTC'), '') AS ad_named,
  (toDateTime64(0, 3, 'UTC'), '') AS keyword_named, '' AS part, '' AS currency, toDate(0) AS rate_day,
  {currency:String} AS own_currency, toDecimal128(0, 9) AS amount
WHERE 0
