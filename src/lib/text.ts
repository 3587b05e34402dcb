/** What text the engines can store, the one form of a name, and what is told to people. */

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

/**
 * A parsed JSON value whose texts, names of fields included, every engine can store: a NUL character and half of a
 * surrogate pair become U+FFFD. Of fields that `isKept` names by their path nothing is changed, nor of what is nested
 * too deeply.
 */
export const mendText = <T>(value: T, isKept: (field: string) => boolean = () => false): T =>
  findUnstorableText(value) === undefined ? value : (mended(value, isKept) as T);

const mendedText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

function mended(value: unknown, isKept: (field: string) => boolean, field = '', depth = 0): unknown {
  if (depth > MAX_DEPTH || isKept(field)) return value;
  if (typeof value === 'string') return mendedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => mended(part, isKept, `${field}[]`, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      mendedText(name),
      mended(part, isKept, field ? `${field}.${name}` : name, depth + 1),
    ]),
  );
}

/** Characters that nobody sees and that change nothing: zero-width spaces, soft hyphens, byte order marks. */
const INVISIBLE = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g;
/** Blank at an end. Joiners and marks of direction stay within, and what turns it, which comes in pairs, everywhere. */
const BLANK = /[\s\u061c\u200c-\u200f]/;
const PLAIN = /^[!-~]*$/;

/**
 * A name in its one form, so that names that look the same are the same: composed (NFC), without what is invisible, and
 * without blanks around it; every other blank within is a plain space. Mended too. For names, not for IDs, which stay
 * as they are.
 */
export function normaliseText(text: string): string {
  if (PLAIN.test(text)) return text;
  const seen = mendedText(text)
    .replace(INVISIBLE, '')
    .replace(/[\s\u0085]/g, ' ')
    .normalize('NFC');
  let start = 0;
  let end = seen.length;
  // No pattern: one for blanks before the end takes quadratic time for a long run of them in the middle.
  while (start < end && BLANK.test(seen.charAt(start))) start += 1;
  while (end > start && BLANK.test(seen.charAt(end - 1))) end -= 1;
  return seen.slice(start, end);
}

/** At most this many characters (code points) of a text, in its one form. */
export const cutName = (text: string, maxLength: number) => {
  const name = normaliseText(text);
  return name.length <= maxLength ? name : [...name].slice(0, maxLength).join('').trimEnd();
};

/** The values of a list that are separated by commas, in their order, each once and in its one form; no empty ones. */
export const readList = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(normaliseText)
      .filter((value) => value !== ''),
  ),
];

/** Ends of lines, other control characters, and marks that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text is one line that shows what it is, and not blank: for names. */
export const isOneLine = (text: string) => text.isWellFormed() && text.trim() !== '' && !UNSEEN.test(text);

const MAX_LOCAL = 64;
/** As HTML has it, with a dot in the domain. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** Whether a text is one e-mail address, with or without space around it. */
export function isEmailAddress(text: string): boolean {
  const address = text.trim();
  return address.length <= 254 && address.indexOf('@') <= MAX_LOCAL && ADDRESS.test(address);
}
