-- Function levels_of of the statements by level: of {levels} those that a row counts at, whose parts it names. Rows are
-- put to their levels late, when they are narrow.
(ad_set_id, ad_id, keyword_id) -> if({levels:Array(String)} = ['campaign'],
  -- Nothing is read to know that.
  ['campaign'],
  arrayFilter(
    level -> (level NOT IN ('ad_set', 'ad') OR ad_set_id != '')
      AND (level != 'ad' OR ad_id != '')
      AND (level != 'keyword' OR keyword_id != ''),
    {levels:Array(String)}
  )
)
