-- How many installs turn {turn} has taken up.
SELECT count() AS installs FROM adtrail.attribution_batches WHERE turn = {turn:UInt64}
