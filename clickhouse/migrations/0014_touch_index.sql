-- The index in which a decision finds touches. The identifiers of installs lie far apart, so each look-up reads a place
-- of its own in every part: rows are narrow, blocks small, parts are merged early, and what a decision needs of a touch
-- is one value.

-- One row per touch and identifier that it can be matched by, in 24 bytes. Identifiers may share a hash, which has 48
-- bits so that it packs well: the touch itself says whether it has the identifier.
-- cluster: shard by identifier
CREATE TABLE IF NOT EXISTS adtrail.touches_by_identifier (
  project_id UInt32 COMMENT 'Project [none]',
  identifier UInt64
    COMMENT 'First 48 bits of sipHash64 of the project, gaid, idfa or ip, and the value of that [pseudonymous]'
    CODEC(T64),
  touch_type Enum8('click' = 1, 'impression' = 2, 'ctv_impression' = 3) COMMENT 'What kind of touch it is [none]',
  touch_time DateTime('UTC') COMMENT 'When the touch happened [none]' CODEC(T64),
  touch_id UUID COMMENT 'ID of the click or impression, as in adtrail.touches_by_id [pseudonymous]' CODEC(NONE)
)
ENGINE = ReplacingMergeTree()
PRIMARY KEY (identifier)
ORDER BY (identifier, touch_id)
SETTINGS index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192,
  merge_selector_base = 2
COMMENT 'Touches by what they can be matched by; derived';

-- One row per touch, as first received: a retry never changes its time, device or address.
-- cluster: shard by touch_id
CREATE TABLE IF NOT EXISTS adtrail.touches_by_id (
  project_id UInt32 COMMENT 'Project [none]',
  touch_id UUID COMMENT 'ID of the click or impression [pseudonymous]' CODEC(NONE),
  received_at DateTime('UTC') COMMENT 'When the service received it first [none]' CODEC(T64),
  version UInt64 COMMENT 'Version of the row of the touch: the greater was received first [none]' CODEC(T64),
  touch String
    COMMENT 'What a decision needs of it, as the text of the tuple that attribution.match.sql names [personal]'
    CODEC(ZSTD)
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (touch_id)
SETTINGS index_granularity = 64, min_compress_block_size = 4096, max_compress_block_size = 8192,
  merge_selector_base = 3
COMMENT 'Touches by their ID; derived';

-- cluster: shard by key
DROP TABLE IF EXISTS adtrail.touch_keys SETTINGS max_table_size_to_drop = 0;

-- cluster: shard by touch_id
DROP TABLE IF EXISTS adtrail.touch_versions SETTINGS max_table_size_to_drop = 0;
