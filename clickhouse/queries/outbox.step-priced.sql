-- Step priced. One row per row of the step credited, with what its amount is worth in US dollars, by the rate of its
-- UTC day or the latest one before it; NULL where there is none. Table: adtrail.exchange_rates, which has no rate of
-- the dollar.
SELECT
  credited.*,
  if(currency = 'USD', 1, rate.usd) AS unit_usd,
  if(amount IS NULL OR unit_usd = 0, NULL,
    CAST(toDecimal256(amount, 9) * toDecimal256(unit_usd, 18), 'Decimal(76, 9)')) AS amount_usd
FROM credited
ASOF LEFT JOIN adtrail.exchange_rates AS rate FINAL
  ON credited.currency = rate.currency AND toDate(credited.time) >= rate.date
