-- One row per currency and day from which on one unit of it is worth so many US dollars.
SELECT currency, date, usd
FROM {{ source('adtrail', 'exchange_rates') }}
WHERE {{ in_project() }}
  AND currency != 'USD'
UNION ALL
SELECT 'USD', toDate(0), 1
