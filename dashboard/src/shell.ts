/** Calls to paste into a shell. What they hold is data of others: each part is one word there, whatever it is. */

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A call of curl, over a few lines; `options` come as they are. */
export const curlCall = (
  address: string,
  { headers = [], body, options = '' }: { headers?: readonly string[]; body?: string; options?: string } = {},
): string =>
  [
    `curl ${options}${shellWord(address)}`,
    ...(headers.length > 0 ? [headers.map((header) => `-H ${shellWord(header)}`).join(' ')] : []),
    ...(body === undefined ? [] : [`-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
