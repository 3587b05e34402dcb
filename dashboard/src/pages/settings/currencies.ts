/** Currencies to choose from. */
const names = new Intl.DisplayNames('en', { type: 'currency' });

export const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} · ${names.of(code) ?? code}`,
}));
