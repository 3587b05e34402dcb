-- The time zone of project $1, in which its days are.
SELECT timezone FROM projects WHERE id = $1
