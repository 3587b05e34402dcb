-- One row per project, in the order of their creation.
SELECT projects.id, projects.account_id, projects.name, accounts.name AS account, projects.timezone, projects.currency,
  projects.web_campaigns, projects.website, projects.attribution, projects.reject_suspicious,
  projects.created_at
FROM projects JOIN accounts ON accounts.id = projects.account_id
ORDER BY projects.id
