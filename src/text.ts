/** What text the engines can store. */

/** Deeper than any document of ours; without a bound a small body could exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * The path of the first text in a parsed JSON value that no engine stores, because it holds a NUL character or half of a
 * surrogate pair; undefined where there is none, null for a value nested deeper than any of ours.
 */
export function brokenText(value: unknown, field = '', depth = 0): string | null | undefined {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? field : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name in value) {
    const at = Array.isArray(value) ? `${field}[${name}]` : field ? `${field}.${name}` : name;
    const broken = brokenText((value as Record<string, unknown>)[name], at, depth + 1);
    if (broken !== undefined) return broken;
    if (name.includes('\0') || !name.isWellFormed()) return field;
  }
  return undefined;
}
