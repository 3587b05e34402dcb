/** Headers of templates as PostgreSQL has them: their values sealed, for they may be secrets. Pure. */
import type { Seal } from '../../lib/seal';
import { BLANK } from './render';

export type Headers = Readonly<Record<string, string>>;

const mapValues = (headers: Headers, of: (value: string, name: string) => string): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, of(value, name)]));

/** @throws SealError for a value that the key does not open. */
export const openHeaders = (seal: Seal, headers: Headers): Headers => mapValues(headers, seal.open);

/** The same for people: what cannot be read is blank. */
export const showHeaders = (seal: Seal, headers: Headers): Headers =>
  mapValues(headers, (value) => tryOpen(seal, value));

/** Names alone, for whom values are not. */
export const blankHeaders = (headers: Headers): Headers => mapValues(headers, () => BLANK);

/** What stays as it was, or was shown blank, keeps its sealed text from `before`: nothing has changed then. */
export const sealHeaders = (seal: Seal, headers: Headers, before: Headers = {}): Headers =>
  mapValues(headers, (value, name) => {
    const sealed = before[name];
    return sealed !== undefined && tryOpen(seal, sealed) === value ? sealed : seal.seal(value);
  });

function tryOpen(seal: Seal, sealed: string): string {
  try {
    return seal.open(sealed);
  } catch {
    return BLANK;
  }
}
