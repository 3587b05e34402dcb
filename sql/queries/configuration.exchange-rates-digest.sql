-- Changes whenever an exchange rate does.
SELECT coalesce(md5(string_agg(concat_ws(' ', currency, date, usd), ',' ORDER BY currency, date)), '') AS digest
FROM exchange_rates
