-- Users of the embedded ClickHouse that see one project; a ClickHouse server has users of its own instead.

-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.project_readers (
  user String COMMENT 'Name of the user [none]',
  project_id UInt32 COMMENT 'The only project that it sees [none]',
  sha256 String COMMENT 'SHA-256 of its password, in hexadecimal digits [none]',
  version UInt64 DEFAULT toUnixTimestamp64Micro(now64(6)) COMMENT 'When the row was written, in microseconds [none]',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: the user was revoked [none]'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY user
COMMENT 'Users of the embedded ClickHouse that see one project';
