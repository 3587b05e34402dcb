-- Gives projects with the time zone $1 the name $2.
UPDATE projects SET timezone = $2 WHERE timezone = $1
