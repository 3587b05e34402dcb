-- The number of a receipt of ad spend.
SELECT nextval('spend_receipts') AS receipt
