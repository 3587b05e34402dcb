-- The list of installs shows the latest first: it reads this, from its end, and not all installs of the project.

-- cluster: shard by install_id
ALTER TABLE adtrail.installs ADD PROJECTION IF NOT EXISTS by_time (
  SELECT project_id, install_time, install_id, campaign_id, partner_id, click_injection, install_hijacking
  ORDER BY project_id, install_time, install_id
);

-- In the background, part by part: until then a part without it is read as it is.
-- cluster: shard by install_id
ALTER TABLE adtrail.installs MATERIALIZE PROJECTION by_time;
