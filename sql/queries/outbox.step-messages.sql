-- Step messages. One row per message about the events in $1, an array of JSON objects in order: who is told of each, by
-- the templates, overrides and webhooks as they are. With $2 also those who were not yet to be told when the event was
-- received.
WITH
  event AS MATERIALIZED (
    SELECT given.*, project.reject_suspicious AND given.suspicious AS rejected
    FROM ROWS FROM (jsonb_to_recordset($1) AS (
      run_id bigint, subject uuid, project_id integer, partner_id integer, type text, event text, suspicious boolean,
      received_at double precision, install text
    )) WITH ORDINALITY AS given (run_id, subject, project_id, partner_id, type, event, suspicious, received_at,
      install, place)
    JOIN projects AS project ON project.id = given.project_id
  ),

  -- What a rejected install is told as; what follows it earns its partner nothing.
  told AS (
    SELECT
      run_id, subject, project_id, partner_id, to_timestamp(received_at / 1000) AS received_at, install, place,
      CASE WHEN rejected AND type = 'install' THEN 'rejected' ELSE event END AS event,
      partner_id <> 0 AND (NOT rejected OR type = 'install') AS to_partner
    FROM event
  ),

  -- The template of a postback: that of the override for the partner, else of the override for all partners, else that
  -- of the partner itself. The first override says what is withheld, and whether anything is sent.
  postback AS (
    SELECT told.*, chosen.template_id, chosen.withhold, template.url
    FROM told
    CROSS JOIN LATERAL (
      SELECT
        (array_agg(rule.id ORDER BY rule.project_id IS NULL, rule.partner_id IS NULL)
          FILTER (WHERE rule.url IS NOT NULL))[1] AS template_id,
        coalesce((array_agg(rule.withhold::text ORDER BY rule.partner_id IS NULL)
          FILTER (WHERE rule.project_id IS NOT NULL))[1], '{}')::text[] AS withhold,
        coalesce((array_agg(rule.enabled ORDER BY rule.partner_id IS NULL)
          FILTER (WHERE rule.project_id IS NOT NULL))[1], true) AS enabled
      FROM postback_templates AS rule
      WHERE rule.event = told.event
        AND (rule.project_id = told.project_id OR rule.project_id IS NULL)
        AND (rule.partner_id = told.partner_id OR rule.partner_id IS NULL)
    ) AS chosen
    JOIN postback_templates AS template ON template.id = chosen.template_id
    WHERE told.to_partner AND chosen.enabled AND template.enabled AND template.switched_off_at IS NULL
      AND ($2 OR template.created_at <= told.received_at)
  ),

  message AS (
    SELECT
      place, 1 AS kind, run_id, project_id, partner_id, event, subject, received_at, url, template_id,
      NULL::integer AS webhook_id, withhold, concat_ws(' ', 'partner', partner_id, install) AS lane,
      concat_ws(' ', 'postback', project_id, partner_id, subject) AS about
    FROM postback
    UNION ALL
    SELECT
      place, 2, run_id, told.project_id, told.partner_id, told.event, subject, told.received_at, webhook.url, NULL,
      webhook.id, '{}', concat_ws(' ', 'webhook', webhook.id, install),
      concat_ws(' ', 'webhook', webhook.id, subject)
    FROM told
    JOIN webhooks AS webhook ON webhook.project_id = told.project_id
    WHERE webhook.enabled AND webhook.switched_off_at IS NULL AND ($2 OR webhook.created_at <= told.received_at)
      AND (webhook.events @> '{*}' OR told.event = ANY(webhook.events))
  )

SELECT
  place, kind, run_id, project_id, CASE kind WHEN 1 THEN partner_id ELSE 0 END AS partner_id, event, subject,
  template_id, webhook_id, withhold, md5(about)::uuid AS postback_id, hashtextextended(lane, 0) AS lane,
  received_at, (received_at AT TIME ZONE 'UTC')::date AS day, lower(substring(url FROM '^[^:]+://([^/?#]*)')) AS host
FROM message
