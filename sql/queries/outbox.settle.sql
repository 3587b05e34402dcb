-- How many messages are to be sent now. Step: added.
SELECT count(*)::integer AS messages FROM added
