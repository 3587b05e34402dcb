-- Pauses campaign $1 from now on; nothing where it is paused already.
INSERT INTO campaign_pauses (campaign_id) VALUES ($1) ON CONFLICT (campaign_id) WHERE unpaused_at IS NULL DO NOTHING
