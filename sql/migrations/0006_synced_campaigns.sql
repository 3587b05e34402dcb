-- The campaigns that ad networks own, by what the network calls them.
CREATE INDEX campaigns_of_networks ON campaigns (project_id, network, network_campaign_id) WHERE network_campaign_id IS NOT NULL AND deleted_at IS NULL;
