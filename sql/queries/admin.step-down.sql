-- Leaves project $1 without a primary domain, before another one becomes that.
UPDATE domains SET is_primary = false WHERE project_id = $1 AND is_primary
