/** Advertising IDs of devices, as every way in takes them. */
import { UUID } from '../lib/uuid';

const NO_UUID = '00000000-0000-0000-0000-000000000000';

/** Stored in lower case; an all-zero ID counts as missing. Undefined: not a UUID. */
export function deviceId(value: string): string | null | undefined {
  if (!value) return null;
  const id = value.toLowerCase();
  if (!UUID.test(id)) return undefined;
  return id === NO_UUID ? null : id;
}
