/** ClickHouse's messages quote what a statement holds, which may be long; nobody reads more of them. */
const LONGEST = 10_000;

/** Before any pattern sees it: the beginning of a long message and its end, where ClickHouse names the kind. */
export const cutMessage = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1_000)} ... ${text.slice(-900)}`;
