-- One row per day and model that does not credit each install once.
SELECT credit.install_day AS install_day, credit.model AS model, credit.installs AS credited, day.installs AS installs
FROM (
  SELECT install_day, model, sum(installs) AS installs
  FROM {{ ref('adtrail_attribution_credit') }}
  GROUP BY install_day, model
) AS credit
INNER JOIN (
  SELECT install_day, count() AS installs
  FROM {{ ref('stg_adtrail__installs') }}
  GROUP BY install_day
) AS day ON credit.install_day = day.install_day
WHERE abs(credited - installs) > 0.001
