-- Sessions and links that have ended. $1 is now; links stay for a month.
WITH links AS (DELETE FROM sign_in_links WHERE expires_at < $1::timestamptz - INTERVAL '30 days')
DELETE FROM sessions WHERE expires_at < $1
