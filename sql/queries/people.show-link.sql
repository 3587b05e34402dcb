-- Notes that a link was not mailed after all, and is shown to who has made it.
UPDATE sign_in_links SET mailed = false WHERE id = $1
