-- Takes a member out.
DELETE FROM memberships WHERE id = $1
