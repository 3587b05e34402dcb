-- A user of ClickHouse that sees one project. $3 is the person who makes it; null for the admin token.
INSERT INTO project_readers (name, project_id, made_by) VALUES ($1, $2, $3)
