-- What a worker could not derive: set aside so that everything else goes on.

-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.quarantine (
  worker LowCardinality(String) COMMENT 'What lacks it: attribution, install-journeys or web-visitors [none]',
  project_id UInt32 COMMENT 'Project that it belongs to [none]',
  entity String COMMENT 'The install or visitor that could not be derived [pseudonymous]' CODEC(ZSTD),
  state Enum8('set_aside' = 1, 'retry' = 2, 'dismissed' = 3)
    COMMENT 'set_aside: reports of the project wait for it; retry: tried again; dismissed: left out for good [none]',
  reason String COMMENT 'Name and code of what ClickHouse said [none]' CODEC(ZSTD),
  set_aside_at DateTime64(3, 'UTC') COMMENT 'When it was set aside [none]',
  version UInt64 DEFAULT toUnixTimestamp64Micro(now64(6)) COMMENT 'When the row was written, in microseconds [none]',
  is_deleted UInt8 DEFAULT 0 COMMENT '1: it has been derived since [none]'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (worker, project_id, entity)
COMMENT 'Installs and visitors that could not be derived; each holds back the reports of its own project only';

-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.web_visitor_batches (
  run_id UInt64 COMMENT 'Run that derives visitors [none]',
  chunk UInt16 COMMENT 'Part of the run that one statement derives [none]',
  project_id UInt32 COMMENT 'Project [none]',
  visitor_id String COMMENT 'Visitor of whom something has arrived [pseudonymous]',
  started_at DateTime('UTC') DEFAULT now() COMMENT 'When the run began [none]'
)
ENGINE = MergeTree()
ORDER BY (run_id, chunk, project_id, visitor_id)
TTL started_at + INTERVAL 1 HOUR
COMMENT 'Visitors that a run derives; of no interest afterwards';
