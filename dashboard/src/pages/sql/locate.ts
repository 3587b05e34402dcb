/** Where in a statement ClickHouse found an error, as far as its message tells. */

export interface Place {
  readonly from: number;
  readonly to: number;
}

const encoder = new TextEncoder();

/** ClickHouse counts bytes, from 1. */
function findByte(statement: string, position: number): number {
  let bytes = 0;
  for (let at = 0; at < statement.length; at += 1) {
    if (bytes >= position - 1) return at;
    bytes += encoder.encode(statement[at]).length;
  }
  return statement.length;
}

export function locateError(statement: string, message: string): Place | undefined {
  const [, position] = /failed at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) {
    const from = Math.min(findByte(statement, Number(position)), Math.max(statement.length - 1, 0));
    const [word = ''] = /^[\w.]*/.exec(statement.slice(from)) ?? [];
    return { from, to: from + Math.max(word.length, 1) };
  }
  const [, name] =
    /(?:identifier|name) [`']([^`'\n]+)[`']|^Column [`']?([\w.]+)/.exec(message)?.filter((one) => one !== undefined) ??
    [];
  const from = name === undefined ? -1 : statement.indexOf(name);
  return name === undefined || from < 0 ? undefined : { from, to: from + name.length };
}
