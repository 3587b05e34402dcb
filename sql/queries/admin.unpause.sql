-- Ends the pause of campaign $1; nothing where it is not paused.
UPDATE campaign_pauses SET unpaused_at = now() WHERE campaign_id = $1 AND unpaused_at IS NULL
