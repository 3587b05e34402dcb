-- One row per install that run {run_id} has taken up.
SELECT project_id, install_id AS entity FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64}
