-- One row per currency and day that has a rate, the US dollar included; a rate holds until the currency's next row.
CREATE OR REPLACE VIEW adtrail.usd_rates (
  currency LowCardinality(String) COMMENT 'ISO 4217 code',
  date Date COMMENT 'UTC day from which the rate holds, until the next one',
  usd Decimal(38, 18) COMMENT 'US dollars for one unit'
)
AS SELECT currency, date, usd FROM adtrail.exchange_rates FINAL WHERE currency != 'USD'
UNION ALL SELECT toLowCardinality('USD'), toDate(0), toDecimal128(1, 18)
COMMENT 'Exchange rates to the US dollar, with the dollar itself';
