-- What waits is counted for one project, and for one partner over all projects, the oldest first.
CREATE INDEX outbox_by_project ON outbox (project_id, settled_at);
CREATE INDEX outbox_by_partner ON outbox (partner_id, settled_at) WHERE partner_id <> 0;
-- Nothing asks for the age over all of them.
DROP INDEX outbox_by_age;
