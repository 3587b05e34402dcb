-- The campaign $2 of project $1 with its custom channel, if it is not deleted.
SELECT campaigns.*,
  (
    SELECT json_build_object('id', id, 'name', name, 'slug', slug)
    FROM custom_channels
    WHERE id = campaigns.custom_channel_id
  ) AS custom_channel
FROM campaigns
WHERE project_id = $1 AND display_id = $2 AND deleted_at IS NULL
