-- The databases, and the copies of the configuration: PostgreSQL owns it, the service keeps it here for queries that
-- need names, windows, switches and exchange rates.

CREATE DATABASE IF NOT EXISTS adtrail ENGINE = Atomic;

CREATE DATABASE IF NOT EXISTS analytics ENGINE = Atomic;

-- The campaigns' names as PostgreSQL has them, kept here by the service so that the views can show them.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.campaigns (
  campaign_id UInt32 COMMENT 'Campaign',
  project_id UInt32 COMMENT 'Project of the campaign',
  display_id String COMMENT 'Display ID, the c of its links',
  name String COMMENT 'Name as it is now',
  partner_id UInt32 COMMENT 'Partner that runs the campaign; 0 for none',
  partner_name String COMMENT 'Name of that partner; empty for none',
  network LowCardinality(String) COMMENT 'Ad network code in capitals; empty for none',
  network_campaign_id String COMMENT 'ID of the campaign at the ad network; empty for none',
  utm_ids Array(String) COMMENT 'Values of utm_id that mean the campaign, beside display_id and network_campaign_id',
  active UInt8 COMMENT '1 while the campaign is active',
  deleted UInt8 COMMENT '1 once the campaign is deleted',
  revision UInt64 COMMENT 'Revision of the change that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY campaign_id
COMMENT 'Names of campaigns, copied from PostgreSQL by the service';

-- The settings of projects as PostgreSQL has them, kept here by the service.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.projects (
  project_id UInt32 COMMENT 'Project',
  name String COMMENT 'Name as it is now',
  timezone LowCardinality(String) COMMENT 'Time zone of its days, a name of the IANA database',
  currency LowCardinality(String) COMMENT 'Currency of its reports',
  click_window_days Map(String, UInt32) COMMENT 'Click windows in days, by network; default for every other',
  ip_click_window_hours UInt32 COMMENT 'Window of clicks matched by IP address, in hours; 0 switches it off',
  view_window_hours UInt32 COMMENT 'Window of impressions, in hours',
  ctv_window_hours UInt32 COMMENT 'Window of connected-TV impressions, in hours',
  reinstall_window_days UInt32 COMMENT 'For so long after an event an install of the same device is a reinstall',
  inactivity_days UInt32 COMMENT 'Days without any event before an open by link is a re-engagement',
  revision UInt64 COMMENT 'Revision of the configuration that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY project_id
COMMENT 'Settings of projects, copied from PostgreSQL by the service';

-- What advertisers have turned on for partners, as PostgreSQL has it, kept here by the service.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.partner_switches (
  project_id UInt32 COMMENT 'Project',
  partner_id UInt32 COMMENT 'Partner',
  s2s_clicks UInt8 COMMENT '1 while clicks of the partner are on',
  s2s_traffic UInt8 COMMENT '1 while impressions of the partner are on',
  view_through UInt8 COMMENT '1 while view-through attribution is on',
  ctv_apps Array(String) COMMENT 'Apps on which connected-TV attribution is on',
  view_window_hours UInt32 COMMENT 'Window of impressions of the partner, in hours',
  revision UInt64 COMMENT 'Revision of the configuration that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (project_id, partner_id)
COMMENT 'Switches of partners, copied from PostgreSQL by the service';

-- What one unit of a currency is worth in US dollars from a day on, as PostgreSQL has it, kept here by the service.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.exchange_rates (
  currency LowCardinality(String) COMMENT 'ISO 4217 code',
  date Date COMMENT 'UTC day',
  usd Decimal(38, 18) COMMENT 'US dollars for one unit',
  revision UInt64 COMMENT 'Revision of the configuration that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (currency, date)
COMMENT 'Exchange rates, copied from PostgreSQL by the service';
