-- One row per level, what it groups by, and event name: the amounts that its events carried, in the report's currency,
-- by their own day. `unconverted` has the currencies that were left out because they have no rate. Step: priced, of
-- app-report.step-event-amounts.sql.
SELECT
  level, campaign_id, ad_set, ad, keyword, name,
  toString(sum(usd_amount / report_usd)) AS amount,
  groupUniqArrayArray(unconverted) AS unconverted
FROM (
  -- What one rate of the report's currency divides is summed first, so that it is divided, and rounded, only once.
  SELECT
    level, campaign_id, ad_set, ad, keyword, name, report_usd,
    sum(priced.amount * usd) AS usd_amount,
    groupUniqArrayIf(toString(currency), NOT has_rate) AS unconverted
  FROM priced
  GROUP BY level, campaign_id, ad_set, ad, keyword, name, report_usd
)
GROUP BY level, campaign_id, ad_set, ad, keyword, name
