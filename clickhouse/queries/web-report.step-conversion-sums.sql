-- Step conversion_sums. One row per touch: sign-ups and purchases credited to it on the days of the report, which are
-- those of Asia/Kolkata. Visitors who signed up are marked as in the step element_sums. Table: adtrail.web_visitors.
-- Function: row_of.
SELECT
  touch,
  sum(is_signup) AS signups,
  countIf(NOT is_signup) AS purchases,
  sum(revenue) AS revenue,
  sumIf(first_of_row, is_signup) AS signup_visitors,
  sumIf(first_of_all, is_signup) AS all_signup_visitors,
  groupArrayIf(user, is_signup) AS signup_users
FROM (
  SELECT
    if({attribution:String} = 'last_touch', `conversion.last_touch`, `conversion.first_touch`) AS credited_touches,
    `conversion.is_signup` AS signup_list,
    `conversion.user` AS user_list,
    `conversion.revenue` AS revenue_list,
    arrayMap(
      (touch, day, pause_time) -> row_of(touch, day, pause_time),
      credited_touches, `conversion.day`, `conversion.pause_time`) AS credited_rows,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(credited_rows, signup_list)) AS row_marks,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(arrayMap(row -> row != 0, credited_rows), signup_list)) AS marks
  FROM adtrail.web_visitors FINAL
  WHERE project_id = {project_id:UInt32}
    AND last_day >= {from:Date} AND first_day <= {to:Date}
    AND notEmpty(`conversion.day`)
)
ARRAY JOIN
  credited_touches AS touch,
  credited_rows AS row,
  row_marks AS first_of_row,
  marks AS first_of_all,
  signup_list AS is_signup,
  user_list AS user,
  revenue_list AS revenue
WHERE row != 0
GROUP BY touch
