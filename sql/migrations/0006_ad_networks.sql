-- What ad networks report: their campaigns, by what the network calls them, and the order in which their spend came in.

CREATE INDEX campaigns_of_networks ON campaigns (project_id, network, network_campaign_id) WHERE network_campaign_id IS NOT NULL AND deleted_at IS NULL;

-- Numbers receipts of ad spend, for all processes and across restarts: a later receipt has a greater number.
CREATE SEQUENCE spend_receipts;
