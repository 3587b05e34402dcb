/** UTM values as the project writes them: what the forms do while one types; the service has the last word. */
import type { UtmRules } from './queries';

export const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;
export type UtmName = (typeof UTM_NAMES)[number];
export type UtmValues = Readonly<Record<UtmName, string>>;

export const NO_UTM: UtmValues = { utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '' };

/** The value in the form of the rules, as far as that is only a matter of writing. */
export function writeByRules({ lower_case: isLower, separator }: UtmRules, value: string): string {
  const text = isLower ? value.trim().toLowerCase() : value.trim();
  return separator ? text.replace(/[\s\-_.]+/g, separator) : text;
}

/** Those that are given; null for none. */
export function toUtm(values: UtmValues): Record<string, string> | null {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return given.length === 0 ? null : Object.fromEntries(given);
}
