-- Of step facts. One row per group and kind of money, in the project's currency. `unconverted` has the currencies that
-- were left out because they have no rate. Step: priced, of the step amounts.
SELECT
  key, any(in_usd.campaign_name) AS campaign_name, max(in_usd.ad_set_named) AS ad_set_named,
  max(in_usd.ad_named) AS ad_named, max(in_usd.keyword_named) AS keyword_named,
  CAST(map(part, CAST(sum(usd_amount / report_usd), 'Decimal(76, 18)')), 'Map(String, Decimal(76, 18))') AS counted,
  groupUniqArrayArray(in_usd.unconverted) AS unconverted
FROM (
  -- What one rate of the report's currency divides is summed first, so that it is divided, and rounded, only once.
  SELECT
    key, part, report_usd, any(priced.campaign_name) AS campaign_name, max(priced.ad_set_named) AS ad_set_named,
    max(priced.ad_named) AS ad_named, max(priced.keyword_named) AS keyword_named,
    sum(amount * usd) AS usd_amount,
    groupUniqArrayIf(toString(currency), NOT has_rate) AS unconverted
  FROM priced
  GROUP BY key, part, report_usd
) AS in_usd
GROUP BY key, part
