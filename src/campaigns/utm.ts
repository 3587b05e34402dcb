/** UTM values of links, and the rules of a project for writing them (docs/contract/tracking-links.md). */

export const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;
export type UtmName = (typeof UTM_NAMES)[number];

export interface UtmRules {
  readonly lower_case?: boolean;
  readonly separator?: '-' | '_' | '.' | null;
  /** For links that have any value. */
  readonly required?: readonly UtmName[];
  readonly allowed?: Readonly<Partial<Record<UtmName, readonly string[]>>>;
}

/** What of the values breaks the rules, and how; undefined for nothing. */
export function findBreach(rules: UtmRules, utm: Readonly<Record<string, string>>): string | undefined {
  const missing = rules.required?.find((name) => utm[name] === undefined);
  if (missing !== undefined && Object.keys(utm).length > 0) return `utm.${missing}: is required by the project`;
  for (const name of UTM_NAMES) {
    const value = utm[name];
    const breach = value === undefined ? undefined : findBreachIn(rules, name, value);
    if (breach !== undefined) return `utm.${name}: ${breach}`;
  }
  return undefined;
}

function findBreachIn({ lower_case, separator, allowed }: UtmRules, name: UtmName, value: string): string | undefined {
  const listed = allowed?.[name] ?? [];
  if (listed.length > 0) return listed.includes(value) ? undefined : `must be one of ${listed.join(', ')}`;
  if (lower_case && value !== value.toLowerCase()) return 'must be in lower case';
  if (separator === undefined || separator === null) return undefined;
  const words = value.split(separator);
  return words.every((word) => /^[\p{L}\p{N}]+$/u.test(word))
    ? undefined
    : `must be letters and digits, with ${separator} between words`;
}
