-- One row per currency and day: what one unit was worth in US dollars, with the revision of the configuration that says
-- so.
SELECT currency, date, usd::text AS usd, (SELECT revision FROM configuration) AS revision FROM exchange_rates
