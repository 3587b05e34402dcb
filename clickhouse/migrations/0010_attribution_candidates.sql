-- What a run of the attribution worker finds out before it decides: its candidates and its reinstalls.

-- cluster: on every node
ALTER TABLE adtrail.attribution_matches COMMENT COLUMN match 'What key is: gaid, idfa, ip or referrer [none]';

-- cluster: on every node
ALTER TABLE adtrail.attribution_matches
  COMMENT COLUMN key 'Advertising ID, IP address, or click that a referrer names [personal]';

-- One row per install of a run and touch that shares an identifier with it.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.attribution_candidates (
  run_id UInt64 COMMENT 'Run that decides installs [none]',
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install [pseudonymous]',
  install_received_at DateTime64(3, 'UTC') COMMENT 'When the service received the install [none]',
  touch_type LowCardinality(String) COMMENT 'What kind of touch it is: click, impression or ctv_impression [none]',
  touch_id UUID COMMENT 'ID of the click or impression [pseudonymous]',
  touch_time DateTime64(3, 'UTC') COMMENT 'When the touch happened [none]',
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the touch first [none]',
  campaign_id UInt32 COMMENT 'Campaign of the touch [none]',
  partner_id UInt32 COMMENT 'Partner that reported it; 0 for none [none]',
  ad_set_id String COMMENT 'Ad set that the touch named [none]' CODEC(ZSTD),
  ad_set_name String COMMENT 'Name of that ad set [none]' CODEC(ZSTD),
  ad_id String COMMENT 'Ad that the touch named [none]' CODEC(ZSTD),
  ad_name String COMMENT 'Name of that ad [none]' CODEC(ZSTD),
  keyword_id String COMMENT 'Keyword that the touch named [none]' CODEC(ZSTD),
  keyword_name String COMMENT 'Name of that keyword [none]' CODEC(ZSTD),
  rule LowCardinality(String) COMMENT 'Rule that matches the touch with the install, for example device_click [none]',
  rule_order UInt8 COMMENT 'Place of the rule in the order of precedence; 1 comes first [none]',
  window_seconds UInt32 COMMENT 'Lookback window that applies, in seconds [none]',
  reason LowCardinality(String) COMMENT 'Why the touch is not eligible, such as outside_window; empty if it is [none]',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run began [none]'
)
ENGINE = MergeTree()
ORDER BY (run_id, project_id, install_id, touch_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Candidates of the installs that a run of the attribution worker decides; of no interest afterwards';

-- One row per install of a run that is a reinstall.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.attribution_reinstalls (
  run_id UInt64 COMMENT 'Run that decides installs [none]',
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install whose device had the app before [pseudonymous]',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run began [none]'
)
ENGINE = MergeTree()
ORDER BY (run_id, project_id, install_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Reinstalls among the installs that a run of the attribution worker decides; of no interest afterwards';
