/** JSON written as a text with macros: inside quotes they are text, outside a value of their own. Pure. */
import { replaceMacros, type AnyMacro } from './macros';

/** A string of JSON, closed or not: what lies between two of them is outside quotes. */
const QUOTED = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

function replaceInJson(text: string, inside: (name: AnyMacro) => string, outside: (name: AnyMacro) => string): string {
  let result = '';
  let end = 0;
  for (const { 0: quoted, index } of text.matchAll(QUOTED)) {
    result += replaceMacros(text.slice(end, index), outside) + replaceMacros(quoted, inside);
    end = index + quoted.length;
  }
  return result + replaceMacros(text.slice(end), outside);
}

/**
 * The text with plain words for its macros. No other value makes legal JSON of what is none with these: `null` cannot
 * be a name, nor a part of a number or of another word, and `x` not a part of an escape.
 */
export const wordsInJson = (text: string): string =>
  replaceInJson(
    text,
    () => 'x',
    () => 'null',
  );

/** Whether a text is JSON whatever its macros stand for. */
export function isJsonTemplate(text: string): boolean {
  try {
    JSON.parse(wordsInJson(text));
    return true;
  } catch {
    return false;
  }
}

/** The text with the values of its macros. */
export const renderJsonText = (text: string, value: (name: AnyMacro) => string): string =>
  replaceInJson(
    text,
    (name) => JSON.stringify(value(name)).slice(1, -1),
    (name) => encodeLiteral(name, value(name)),
  );

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** A value outside quotes: a number if it is one, true or false of `is_...`, null for none, else a string. */
function encodeLiteral(name: AnyMacro, value: string): string {
  if (value === '') return 'null';
  const isBoolean = name.startsWith('is_') && (value === 'true' || value === 'false');
  return isBoolean || NUMBER.test(value) ? value : JSON.stringify(value);
}
