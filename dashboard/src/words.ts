/** Sizes and ages in words. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** 1,234,567,890 as 1.2 GB. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power > 0 && value < 100 ? 1 : 0)} ${UNITS[power]}`;
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long ago an instant was, in its largest unit: 3 minutes ago. */
export function agoText(instant: string, now: string | number): string {
  const seconds = Math.round((new Date(now).getTime() - Date.parse(instant)) / 1000);
  if (!Number.isFinite(seconds)) return instant;
  if (Math.abs(seconds) < 5) return 'just now';
  const [unit, size] = STEPS.find(([, one]) => Math.abs(seconds) >= one) ?? STEPS[3];
  return relative.format(-Math.trunc(seconds / size), unit);
}

/** A length of time in its largest unit: 3 minutes. */
export function lengthText(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  const [unit, size] = STEPS.find(([, one]) => seconds >= one) ?? STEPS[3];
  const count = Math.trunc(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value whose name tells its unit: `free_bytes`, `age_seconds`, an instant. */
export function detailText(name: string, value: string | number | boolean, now: string | number): string {
  const words = name.replace(/_?(?:seconds|bytes|ms)$/, '').replaceAll('_', ' ');
  const say = (text: string) => (words === '' ? text : `${words}: ${text}`);
  if (typeof value === 'number' && /bytes$/.test(name)) return say(sizeText(value));
  if (typeof value === 'number' && /seconds$/.test(name)) return say(lengthText(value));
  if (typeof value === 'number' && /_ms$/.test(name)) return say(`${value.toLocaleString('en')} ms`);
  if (typeof value === 'number') return say(value.toLocaleString('en'));
  return say(typeof value === 'string' && INSTANT.test(value) ? agoText(value, now) : String(value));
}
