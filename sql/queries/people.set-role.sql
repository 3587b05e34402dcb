-- Another role for a member.
UPDATE memberships SET role = $2 WHERE id = $1
