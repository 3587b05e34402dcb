-- Step amounts. Money of all kinds that is to be converted. Steps: money, spent.
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, part, currency, rate_day, own_currency, amount
FROM money
UNION ALL
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, part, currency, rate_day, own_currency, amount
FROM spent
