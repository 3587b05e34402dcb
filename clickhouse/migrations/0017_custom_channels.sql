-- The custom channel of a campaign. Campaigns were copied without it before: `layout` tells which rows have it.
-- cluster: on every node
ALTER TABLE adtrail.campaigns
  ADD COLUMN IF NOT EXISTS custom_channel LowCardinality(String)
    COMMENT 'Name of the custom channel; empty for none [none]' AFTER network,
  ADD COLUMN IF NOT EXISTS layout UInt8
    COMMENT '1: custom_channel was copied; 0: by a version that did not know it [none]' AFTER deleted;
