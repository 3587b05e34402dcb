-- One row per currency and day: what one unit was worth in US dollars.
SELECT date, currency, usd FROM exchange_rates ORDER BY date, currency
