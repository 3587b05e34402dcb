-- Step priced. One row per row of the step amounts, with the exchange rates of its day: what a unit of its currency and
-- one of the report's currency are worth in US dollars. Without a rate for both, `usd` is 0 and so is the amount.
-- Table: adtrail.exchange_rates, which has no rate of the dollar.
SELECT
  amounts.* EXCEPT currency,
  amounts.currency AS currency,
  amounts.currency = amounts.own_currency AS is_own,
  if(amounts.currency = 'USD', 1, rate.usd) AS unit_usd,
  if(amounts.own_currency = 'USD', 1, own.usd) AS own_usd,
  is_own OR (unit_usd != 0 AND own_usd != 0) AS has_rate,
  toDecimal256(multiIf(is_own, 1, has_rate, unit_usd, 0), 18) AS usd,
  toDecimal256(if(is_own OR NOT has_rate, 1, own_usd), 18) AS report_usd
FROM amounts
ASOF LEFT JOIN adtrail.exchange_rates AS rate FINAL
  ON amounts.currency = rate.currency AND amounts.rate_day >= rate.date
ASOF LEFT JOIN adtrail.exchange_rates AS own FINAL
  ON amounts.own_currency = own.currency AND amounts.rate_day >= own.date
