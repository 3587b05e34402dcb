/** What text the engines can store. */

/** No legal document is nested this deeply; without a limit a small body could exhaust the stack. */
const MAX_DEPTH = 32;

/** Whether a parsed JSON value is nested more deeply than any legal document. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > MAX_DEPTH || Object.values(value).some((part) => isTooDeep(part, depth + 1));
}

/**
 * The path of the first text in a parsed JSON value that no engine can store: it holds a NUL character or half of a
 * surrogate pair. Undefined if there is none, null if the value is nested too deeply.
 */
export function findUnstorableText(value: unknown, field = '', depth = 0): string | null | undefined {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? field : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name in value) {
    const at = Array.isArray(value) ? `${field}[${name}]` : field ? `${field}.${name}` : name;
    const broken = findUnstorableText((value as Record<string, unknown>)[name], at, depth + 1);
    if (broken !== undefined) return broken;
    if (name.includes('\0') || !name.isWellFormed()) return field;
  }
  return undefined;
}
