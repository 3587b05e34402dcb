-- One row per level, what it groups by, and revenue type where types are asked for: payments, and revenue in the
-- report's currency by its own day and of the cohort up to days 0, 3, 7 and 30. `unconverted` has the currencies that
-- were left out because they have no rate. Step: priced, of app-report.step-revenue.sql.
SELECT
  level, campaign_id, ad_set, ad, keyword, type,
  sum(payments) AS payments,
  toString(sum(usd_amount / report_usd)) AS revenue,
  toString(sum(usd_cohort_0 / report_usd)) AS cohort_0,
  toString(sum(usd_cohort_3 / report_usd)) AS cohort_3,
  toString(sum(usd_cohort_7 / report_usd)) AS cohort_7,
  toString(sum(usd_cohort_30 / report_usd)) AS cohort_30,
  groupUniqArrayArray(unconverted) AS unconverted
FROM (
  -- What one rate of the report's currency divides is summed first, so that it is divided, and rounded, only once.
  SELECT
    level, campaign_id, ad_set, ad, keyword, type, report_usd,
    sum(priced.payments) AS payments,
    sum(amount * usd) AS usd_amount,
    sum(priced.cohort_0 * usd) AS usd_cohort_0,
    sum(priced.cohort_3 * usd) AS usd_cohort_3,
    sum(priced.cohort_7 * usd) AS usd_cohort_7,
    sum(priced.cohort_30 * usd) AS usd_cohort_30,
    groupUniqArrayIf(toString(currency), entries > 0 AND NOT has_rate) AS unconverted
  FROM priced
  GROUP BY level, campaign_id, ad_set, ad, keyword, type, report_usd
)
GROUP BY level, campaign_id, ad_set, ad, keyword, type
