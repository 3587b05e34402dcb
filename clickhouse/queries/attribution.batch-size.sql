-- How many installs run {run_id} has taken up.
SELECT count() AS installs FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64}
