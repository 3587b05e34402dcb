-- One row per payment, refund (its amount is negative) and amount that was spent, with the exchange rates of its day.
-- In the currency of the project it is sum(usd) / report_usd, for each report_usd: dividing once is exact. What lacks a
-- rate counts as nothing and has has_rate = 0.
WITH amounts AS (
  SELECT
    'revenue' AS kind,
    campaign_id,
    start_day,
    event_day AS day,
    utc_day AS rate_day,
    CAST(event_currency, 'String') AS currency,
    amount
  FROM {{ ref('stg_adtrail__journeys') }}
  ARRAY JOIN
    money_days AS event_day,
    money_utc_days AS utc_day,
    money_currencies AS event_currency,
    money_amounts AS amount
  UNION ALL
  SELECT 'spend', campaign_id, day, day, day, CAST(currency, 'String'), spend
  FROM {{ ref('stg_adtrail__spend') }}
)
SELECT
  kind,
  campaign_id,
  start_day,
  day,
  amounts.currency AS original_currency,
  amount AS original_amount,
  amounts.currency = '{{ var('currency') }}' AS is_own,
  is_own OR (rate.usd != 0 AND own.usd != 0) AS has_rate,
  amount * toDecimal256(multiIf(is_own, 1, has_rate, rate.usd, 0), 18) AS usd,
  toDecimal256(if(is_own OR NOT has_rate, 1, own.usd), 18) AS report_usd
FROM (SELECT *, '{{ var('currency') }}' AS own_currency FROM amounts) AS amounts
ASOF LEFT JOIN {{ ref('stg_adtrail__exchange_rates') }} AS rate
  ON amounts.currency = rate.currency AND amounts.rate_day >= rate.date
ASOF LEFT JOIN {{ ref('stg_adtrail__exchange_rates') }} AS own
  ON amounts.own_currency = own.currency AND amounts.rate_day >= own.date
