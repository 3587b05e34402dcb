-- The audit log of the configuration, copied from PostgreSQL for who reads ClickHouse. Its persons work with adtrail
-- and are attributed to nothing: for forgetting a person its columns are no personal data.

-- One row per row of the configuration that was made, changed or deleted. Copied again, a row replaces itself.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.audit_log (
  id UInt64 COMMENT 'Identifier: a later change has a greater one [none]',
  at DateTime64(3, 'UTC') COMMENT 'When it was changed [none]',
  actor LowCardinality(String) COMMENT 'user, admin_token, server_key, service, or database: by hand [none]',
  actor_name String COMMENT 'Name of who changed it [none]',
  address String COMMENT 'Address that the request came from; empty for none [none]',
  changed_account_id UInt32 COMMENT 'Account that it is about; 0 for the installation [none]',
  changed_project_id UInt32 COMMENT 'Project that it is about; 0 for none [none]',
  changed_partner_id UInt32 COMMENT 'Partner that it is about; 0 for none [none]',
  action LowCardinality(String) COMMENT 'create, change or delete [none]',
  subject LowCardinality(String) COMMENT 'What kind of thing it was, for example campaigns [none]',
  name String COMMENT 'Which one of them [none]',
  before String COMMENT 'The fields that differ, as they were, as JSON; never a secret [none]',
  after String COMMENT 'The same as they are since, as JSON [none]'
)
ENGINE = ReplacingMergeTree(at)
ORDER BY id
COMMENT 'Changes of the configuration';
