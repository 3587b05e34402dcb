/** IDs of ad networks, and what spreadsheets and reports make of them (docs/contract/collectors.md). */
import { normaliseText } from '../lib/text';

/** What no ad network gives out as an ID. */
const MANGLED: readonly RegExp[] = [
  // Nothing that could be one: -, --, …
  /^[^\p{L}\p{N}]*$/u,
  // Texts, formulas and errors of spreadsheets: '123, ="123", #REF!, (123), $123
  /^['"`´‘’“”„«»=#+(]|['"`´‘’“”„«»)]$|\p{Sc}/u,
  // Numbers: 123.0, 1,234, 1 234, -5; and 1.2E+17
  /^(?!\d+$)-?\d[\d.,'’\s]*$/,
  /^(?:\d|\d+[.,]\d*)e[+-]?\d+$/i,
  // The prefixes of reports: c:123
  /^[a-z]{1,3}:\s*\d/i,
  // No value, and the names of sums
  /^(?:null|none|nan|nil|undefined|n\/a|not set)$/i,
  /^(?:(?:sub[- ]?|grand )?totals?|sum|gesamt(?:summe|ergebnis)?|summe|insgesamt)\W*$/i,
];
/** An ID that came in a file and has probably lost its last digits: spreadsheets keep 15. */
export const ROUNDED_ID = /^\d{15}0{2,}$/;

/** Whether a text cannot be an ID as it was given out. */
export const isMangledId = (id: string) =>
  normaliseText(id) !== id.normalize('NFC') || MANGLED.some((pattern) => pattern.test(id));
