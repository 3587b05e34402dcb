-- Function names_level of the statements by level: whether a row names what the level is about.
(ad_set_id, ad_id, keyword_id) ->
  ({level:String} NOT IN ('ad_set', 'ad') OR ad_set_id != '')
  AND ({level:String} != 'ad' OR ad_id != '')
  AND ({level:String} != 'keyword' OR keyword_id != '')
