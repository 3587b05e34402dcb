-- One row per project, currency and day: rates are those of the installation, the same for all projects. Each project
-- has a campaign: that of its main domain.
CREATE OR REPLACE VIEW analytics.exchange_rates
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT project.project_id AS project_id, rate.currency AS currency, rate.date AS date, rate.usd AS usd
FROM adtrail.exchange_rates AS rate FINAL
CROSS JOIN (SELECT DISTINCT project_id FROM adtrail.campaigns) AS project
COMMENT 'What one unit of a currency is worth in US dollars from a day on';
