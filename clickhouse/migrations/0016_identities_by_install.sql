-- Journeys ask the other way round: which devices an install has. Without an order of its own they would read the whole
-- table.

-- cluster: shard by value
ALTER TABLE adtrail.identities
  MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';

-- cluster: shard by value
ALTER TABLE adtrail.identities
  ADD PROJECTION IF NOT EXISTS by_install (SELECT project_id, install_id, kind, value ORDER BY project_id, install_id);

-- Of what is stored already, in the background.
-- cluster: shard by value
ALTER TABLE adtrail.identities
  MATERIALIZE PROJECTION by_install;
