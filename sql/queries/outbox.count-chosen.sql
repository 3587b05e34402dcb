-- How many messages would be sent once more. Step: chosen.
SELECT count(*)::integer AS messages FROM chosen
