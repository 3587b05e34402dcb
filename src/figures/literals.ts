/** Writes values into statements that bind them, for people who run them by themselves. */

type Value = string | number | boolean | readonly Value[];

/** Where a statement binds a value: its name and its type. */
const BOUND = /\{(\w+):([\w()]+)\}/g;

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function literal(value: Value, type: string): string {
  const item = /^Array\((.*)\)$/.exec(type)?.[1];
  if (item !== undefined) return `[${(value as readonly Value[]).map((one) => literal(one, item)).join(', ')}]`;
  if (type === 'Date') return `toDate(${quoted(String(value))})`;
  return type === 'String' ? quoted(String(value)) : String(value);
}

/** The statement with the values of `params` in the places where it binds them. */
export const withValues = (text: string, params: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(BOUND, (_, name: string, type: string) => literal(params[name] as Value, type));
