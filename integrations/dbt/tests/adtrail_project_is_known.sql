-- One row where the variable project_id names no project that the user of dbt may see.
SELECT {{ var('project_id') }} AS project_id
WHERE (SELECT count() FROM {{ source('adtrail', 'campaigns') }} WHERE {{ in_project() }}) = 0
