/** How often ClickHouse may try a reader's text another way: `INTERVAL (INTERVAL (` doubles it with each level. */
export const MAX_BACKTRACKS = 50_000;
