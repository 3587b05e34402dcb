-- Lists of campaigns in their order, newest first, whatever the size of the project.
CREATE INDEX campaigns_in_order ON campaigns (project_id, created_at DESC, display_id) WHERE deleted_at IS NULL;
