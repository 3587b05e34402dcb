-- Step element_sums. One row per touch: visitors, sessions and page views credited to it on the days of the report,
-- which are those of Asia/Kolkata. Within one visitor arrayEnumerateUniq marks the first element of each row, and of
-- each session in a row, so that marks only have to be summed: exact, and without a set of visitors. The marks of one
-- row may lie at several touches. Table: adtrail.web_visitors. Functions: row_of, source_of.
SELECT
  touch,
  sum(first_of_row) AS visitors,
  sum(first_of_source) AS source_visitors,
  sum(first_of_all) AS all_visitors,
  sum(session_of_row) AS sessions,
  sum(session_of_all) AS all_sessions,
  sum(views) AS page_views,
  CAST(map(), 'Map(String, UInt64)') AS event_counts
FROM (
  SELECT
    if({attribution:String} = 'last_touch', `element.last_touch`, `element.first_touch`) AS credited_touches,
    `element.page_views` AS view_list,
    arrayMap(
      (touch, day, pause_time) -> row_of(touch, day, pause_time),
      credited_touches, `element.day`, `element.pause_time`) AS credited_rows,
    arrayMap(row -> row != 0, credited_rows) AS counted_list,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(credited_rows)) AS row_marks,
    -- Only campaigns show their main source, so that elsewhere these marks may be any.
    if({group_by:String} = 'campaign',
      arrayMap(
        nth -> nth = 1,
        arrayEnumerateUniq(credited_rows, arrayMap(touch -> source_of(touch), credited_touches))),
      row_marks) AS source_marks,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(credited_rows, `element.session`)) AS row_session_marks,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(counted_list)) AS marks,
    arrayMap(nth -> nth = 1, arrayEnumerateUniq(counted_list, `element.session`)) AS session_marks
  FROM adtrail.web_visitors FINAL
  WHERE project_id = {project_id:UInt32} AND last_day >= {from:Date} AND first_day <= {to:Date}
)
ARRAY JOIN
  credited_touches AS touch,
  credited_rows AS row,
  row_marks AS first_of_row,
  source_marks AS first_of_source,
  marks AS first_of_all,
  row_session_marks AS session_of_row,
  session_marks AS session_of_all,
  view_list AS views
WHERE row != 0
GROUP BY touch
