-- The two databases: adtrail holds the base tables, analytics the views that data engineers query.

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
  network LowCardinality(String) COMMENT 'Ad network code; empty for none',
  network_campaign_id String COMMENT 'ID of the campaign at the ad network; empty for none',
  active UInt8 COMMENT '1 while the campaign is active',
  deleted UInt8 COMMENT '1 once the campaign is deleted',
  revision UInt64 COMMENT 'Revision of the change that wrote this row; the greatest counts'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY campaign_id
COMMENT 'Names of campaigns, copied from PostgreSQL by the service';
