-- Filtered lists of campaigns, and their last pages, are read from the index alone, whatever the filters.
DROP INDEX campaigns_in_order;
CREATE INDEX campaigns_in_order ON campaigns (project_id, created_at DESC, display_id) INCLUDE (id, active, network, partner_id, domain_id) WHERE deleted_at IS NULL;

-- How many there are: hardly more entries than combinations of filters, which PostgreSQL stores once each.
CREATE INDEX campaigns_by_filter ON campaigns (project_id, active, network, partner_id, domain_id) WHERE deleted_at IS NULL;

-- One campaign by the display_id of its links, and the partners that have any in a project.
CREATE INDEX campaigns_by_display_id ON campaigns (project_id, display_id) WHERE deleted_at IS NULL;
CREATE INDEX campaigns_by_partner ON campaigns (project_id, partner_id) WHERE deleted_at IS NULL AND partner_id IS NOT NULL;
