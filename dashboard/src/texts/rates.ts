/** Texts of the exchange rates of the installation. */
export const rates = {
  about: 'Amounts in other currencies count in reports by the rate of their day, or the last one before it.',
  one: 'One rate',
  oneAbout: 'In place of the one of that day, where there is one. Figures of the past change with it.',
  usd: 'US dollars for one',
  add: 'Set the rate',
  saved: 'The rate is set.',
  file: 'A file of rates',
  fileAbout:
    'CSV with the columns date, currency and usd, or a file of the European Central Bank as it is published: ' +
    'eurofxref-hist.csv, eurofxref.csv or their XML, unpacked.',
  from: 'Only from',
  fromHint: 'Days before it are left out',
  choose: 'Choose a file',
  checked: (name: string, format: string) =>
    `${name} is ${format === 'ecb' ? 'a file of the European Central Bank' : 'CSV with one rate a row'}. ` +
    'Nothing is stored yet.',
  range: (from: string, to: string) => `${from} to ${to}:`,
  counts: (created: string, updated: string, unchanged: string, refused: string) =>
    `${created} new, ${updated} changed, ${unchanged} as they are, ${refused} refused`,
  refused: 'Refused rows',
  store: (count: string) => `Store ${count} rates`,
  stored: (count: number) => `${count} rates are stored.`,
};
