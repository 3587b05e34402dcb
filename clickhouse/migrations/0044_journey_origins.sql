-- What queries ask of the install of a journey stands on the journey. What it is derived from lies beside the other
-- records of the install: of its install event as 'origin', of its decision as 'rule'. Processes of the version before
-- read past them.

-- cluster: shard by install
ALTER TABLE adtrail.records_by_install
  MODIFY COLUMN kind Enum8('decision' = 1, 'event' = 2, 'origin' = 3, 'rule' = 4) COMMENT 'What the record is [none]',
  ADD COLUMN IF NOT EXISTS versions Array(String)
    COMMENT 'Of an origin: version of the operating system, and of the app [personal]' AFTER person;

-- cluster: on every node
ALTER TABLE adtrail.journey_records
  MODIFY COLUMN kind Enum8('decision' = 1, 'event' = 2, 'origin' = 3, 'rule' = 4) COMMENT 'What the record is [none]';

-- Journeys of an earlier version have the layout 0 until a process of this version has derived them anew, which it does
-- as it starts (clickhouse/queries/install-journeys.select-dirty.sql).
-- cluster: shard by root_install
ALTER TABLE adtrail.journeys
  ADD COLUMN IF NOT EXISTS app_id LowCardinality(String) COMMENT 'App of the install [none]' AFTER platform,
  ADD COLUMN IF NOT EXISTS rule LowCardinality(String)
    COMMENT 'Rule that credited the install, as in adtrail.installs; empty for a re-engagement [none]' AFTER touch_type,
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the install event, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER suspicious,
  ADD COLUMN IF NOT EXISTS os_version String
    COMMENT 'Version of the operating system, as the install event names it; empty if it does not [personal]'
    CODEC(ZSTD) AFTER country,
  ADD COLUMN IF NOT EXISTS app_version String
    COMMENT 'Version of the app, as the install event names it; empty if it does not [personal]'
    CODEC(ZSTD) AFTER os_version,
  ADD COLUMN IF NOT EXISTS layout UInt8 COMMENT '1: all columns are derived; 0: by an earlier version [none]'
    AFTER priced_amounts;
