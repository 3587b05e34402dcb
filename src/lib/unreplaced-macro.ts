/** Values in which the sender's ad server has left one of its macros (docs/contract/s2s.md). */

const IN_BRACES = /(?:\{|%7b)[A-Za-z0-9_.-]{1,64}(?:\}|%7d)/i;
const NAME = '[A-Za-z][A-Za-z0-9_.-]*';
/**
 * What a macro is as a whole value. Of `%%ADID%%` in an address the decoder takes `%AD` for a byte, which is no UTF-8.
 */
const WHOLE = new RegExp(
  `^(?:__${NAME}__|\\[${NAME}\\]|<${NAME}>|\\$${NAME}\\$|%%${NAME}%%|%\\uFFFD[A-Za-z0-9_.-]*%%)$`,
);

/** Whether a decoded value still has a macro that its sender should have replaced, whatever its form. */
export const hasUnreplacedMacro = (value: string): boolean => IN_BRACES.test(value) || WHOLE.test(value);
