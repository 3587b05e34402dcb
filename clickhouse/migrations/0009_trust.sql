-- Who sent an event: a project's own server, or an app or a page, whose key everybody can read.

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  ADD COLUMN IF NOT EXISTS trusted UInt8
    COMMENT '1: sent with a server key; 0: with an app key, which is public [none]';

-- cluster: shard by visitor_id
ALTER TABLE adtrail.web_events
  ADD COLUMN IF NOT EXISTS trusted UInt8
    COMMENT '1: sent with a server key; 0: with a web key, which is public [none]';
