-- One row per project, with the billing of its account and its primary domain.
SELECT projects.id, projects.name, projects.account_id, accounts.billing_status, accounts.payment_link,
  projects.website, projects.web_campaigns, projects.created_at,
  primary_domain.id AS primary_domain_id, primary_domain.name AS primary_domain
FROM projects
JOIN accounts ON accounts.id = projects.account_id
LEFT JOIN domains AS primary_domain ON primary_domain.project_id = projects.id AND primary_domain.is_primary
