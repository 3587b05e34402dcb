-- One row per override of project $1, with the name of the partner that it is for.
SELECT override.id, override.event, override.partner_id, partners.name AS partner, override.method, override.url,
  override.headers, override.body, override.withhold, override.enabled, override.created_at, override.switched_off_at
FROM postback_templates AS override LEFT JOIN partners ON partners.id = override.partner_id
WHERE override.project_id = $1 ORDER BY override.id
