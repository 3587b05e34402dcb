-- How many messages are sent once more. Step: replayed.
SELECT count(*)::integer AS messages FROM replayed
