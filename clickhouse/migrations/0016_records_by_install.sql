-- What journeys and decisions look up by install and by device. The installs of a run lie far apart, so each look-up
-- reads a place of its own in every part: rows are narrow, blocks small, parts are merged early, and what is read
-- together is one value.

-- One row per install and identifier that any of its events named. Identifiers may share a hash.
-- cluster: shard by identifier
CREATE TABLE IF NOT EXISTS adtrail.installs_by_identifier (
  project_id UInt32 COMMENT 'Project [none]',
  identifier UInt64
    COMMENT 'First 48 bits of sipHash64 of the project, device or user, and its value [pseudonymous]' CODEC(T64),
  kind Enum8('gaid' = 1, 'idfa' = 2, 'user' = 3) COMMENT 'What value is [none]',
  value String
    COMMENT 'Advertising ID, or identifier of the user in the system of the advertiser [personal]' CODEC(ZSTD),
  install_id String COMMENT 'Install [pseudonymous]' CODEC(ZSTD),
  noted_at DateTime('UTC') DEFAULT now() COMMENT 'When the row was written [none]' CODEC(T64)
)
ENGINE = ReplacingMergeTree()
PRIMARY KEY (identifier)
ORDER BY (identifier, value, install_id)
SETTINGS index_granularity = 128, min_compress_block_size = 4096, max_compress_block_size = 8192,
  merge_selector_base = 3
COMMENT 'Installs by the identifiers of their device and user; derived';

-- One row per app event, and one per decision, in the order of their installs.
-- cluster: shard by install
CREATE TABLE IF NOT EXISTS adtrail.records_by_install (
  project_id UInt32 COMMENT 'Project [none]' CODEC(T64),
  install UUID COMMENT 'sipHash128 of the project and the install [pseudonymous]',
  install_id String COMMENT 'Install [pseudonymous]' CODEC(ZSTD),
  kind Enum8('decision' = 1, 'event' = 2) COMMENT 'What the record is [none]',
  record_key UUID COMMENT 'Key of the event within its install; zero for the decision [pseudonymous]' CODEC(NONE),
  received_at DateTime64(3, 'UTC') COMMENT 'When the service received the event or the install [none]' CODEC(T64),
  version UInt64 COMMENT 'As in the table that the record is of: the greatest counts [none]' CODEC(T64),
  is_deleted UInt8 COMMENT '1: the record does not count [none]',
  person String
    COMMENT 'Who the event names: the text of the tuple of user_id, gaid and idfa; empty for nobody [personal]'
    CODEC(ZSTD),
  record String
    COMMENT 'What a journey needs, as the text of the tuple that its steps name; empty: does not count [pseudonymous]'
    CODEC(ZSTD)
)
ENGINE = ReplacingMergeTree(version)
PRIMARY KEY (install)
ORDER BY (install, kind, record_key)
SETTINGS index_granularity = 64, min_compress_block_size = 4096, max_compress_block_size = 8192,
  merge_selector_base = 3
COMMENT 'App events and decisions by install; derived';

-- One row per event and decision of the installs of a run, as it counts.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.journey_records (
  run_id UInt64 COMMENT 'Run that derives journeys [none]',
  chunk UInt16 COMMENT 'Part of the run_id [none]',
  round UInt8 COMMENT 'Round in which the install was taken up, as in adtrail.journey_batches [none]',
  project_id UInt32 COMMENT 'Project [none]',
  install_id String COMMENT 'Install [pseudonymous]',
  kind Enum8('decision' = 1, 'event' = 2) COMMENT 'What the record is [none]',
  record_key UUID COMMENT 'As in adtrail.records_by_install [pseudonymous]',
  user UInt64 COMMENT 'sipHash64 of the tuple of user and whom the event names; 0 for nobody [pseudonymous]',
  devices Array(Tuple(identifier UInt64, device UUID))
    COMMENT 'Of each device that the event names: installs_by_identifier.identifier, and 128 bits of it [pseudonymous]',
  record String COMMENT 'As in adtrail.records_by_install [pseudonymous]',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run_id began [none]'
)
ENGINE = MergeTree()
ORDER BY (run_id, chunk, kind, project_id, install_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'What a run_id derives journeys from; of no interest afterwards';

-- What was stored lately is found without a look at the older parts.

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;

-- cluster: shard by install_id
ALTER TABLE adtrail.installs ADD INDEX IF NOT EXISTS stored_at_range stored_at TYPE minmax GRANULARITY 1;

-- cluster: shard by value
DROP TABLE IF EXISTS adtrail.identities SETTINGS max_table_size_to_drop = 0;
