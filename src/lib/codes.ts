/** Codes of currencies and ad networks: people write them in any case, they are kept in capitals. */
import { normaliseText } from './text';

export const CURRENCY_PATTERN = '^[A-Za-z]{3}$';
export const NETWORK_PATTERN = '^[A-Za-z][A-Za-z0-9_]{0,63}$';

const reader = (pattern: string) => {
  const form = new RegExp(pattern);
  return (value: unknown): string | undefined => {
    const code = typeof value === 'string' ? normaliseText(value) : '';
    return form.test(code) ? code.toUpperCase() : undefined;
  };
};

/** A currency's code of ISO 4217; undefined for what has not the form of one. */
export const readCurrency = reader(CURRENCY_PATTERN);
/** An ad network's code, for example META; undefined for what has not the form of one. */
export const readNetwork = reader(NETWORK_PATTERN);
