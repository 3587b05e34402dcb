/** Files of exchange rates: what is read of each form, and what is refused. */
import { readRateFile } from '../../../src/workspace/rates';

const ECB_HISTORY = 'Date,USD,JPY,INR,\n2026-03-05,1.0800,162.00,N/A,\n2026-03-04,1.0500,,90.3,\n';
const ECB_DAY = 'Date, USD, JPY, \n05 March 2026, 1.0800, 162.00, \n';
const ECB_XML = `<?xml version="1.0"?><gesmes:Envelope xmlns:gesmes="x"><Cube>
<Cube time='2026-03-05'><Cube currency='USD' rate='1.0800'/><Cube currency='JPY' rate='162.00'/></Cube></Cube>`;
const day = (date: string, ...rates: [string, number][]) => rates.map(([currency, usd]) => ({ date, currency, usd }));
const FIFTH = day('2026-03-05', ['EUR', 1.08], ['JPY', 0.00666666666667]);

test.each([
  [
    'our CSV',
    'date;currency;usd\n2026-03-05;eur;1.08\n2026-03-05;JPY;0.0067',
    'csv',
    [...day('2026-03-05', ['EUR', 1.08], ['JPY', 0.0067])],
  ],
  ["the ECB's history", ECB_HISTORY, 'ecb', [...FIFTH, ...day('2026-03-04', ['EUR', 1.05], ['INR', 0.0116279069767])]],
  ["the ECB's latest day", ECB_DAY, 'ecb', FIFTH],
  ["the ECB's XML", ECB_XML, 'ecb', FIFTH],
])('%s', async (_, text, format, rates) => {
  expect(await readRateFile(text)).toEqual({ format, rates, refused: [] });
});

test('days before the first that is asked for are left out', async () => {
  expect((await readRateFile(ECB_HISTORY, '2026-03-05')).rates).toEqual(FIFTH);
});

test.each([
  ['date,currency,usd\n2026-02-30,EUR,1', [[2, 'date: must be a day, written YYYY-MM-DD']]],
  ['date,currency,usd\n2026-03-05,EURO,1', [[2, 'currency: must be a currency code of three letters']]],
  ['date,currency,usd\n2026-03-05,EUR,"1,08"', [[2, 'usd: must be a number from 0.000000001 to 1000000000']]],
  ['date,currency,usd\n2026-03-05,EUR,0', [[2, 'usd: must be a number from 0.000000001 to 1000000000']]],
  [
    'date,currency,usd\n2026-03-05,EUR,1\n2026-03-05,eur,2\n2026-03-06,EUR',
    [
      [3, 'an earlier row has the same date and currency'],
      [4, 'the row must have as many cells as there are columns'],
    ],
  ],
  ['Date,USD,JPY\nyesterday,1.08,162', [[2, 'date: must be a day, for example 2026-03-05']]],
  ['Date,USD,JPY\n2026-03-05,N/A,162', [[2, 'USD: is missing on that day, and is needed for all']]],
])('%j names the row and the rule', async (text, refused) => {
  expect((await readRateFile(text)).refused.map(({ line, msg }) => [line, msg])).toEqual(refused);
});

test.each([
  ['<html></html>', 'Invalid file: it has no rates of the European Central Bank'],
  [
    'currency,usd\nEUR,1',
    'Invalid CSV body: the columns date are missing; what was read as the header: "currency", "usd"',
  ],
])('%j is no such file', async (text, message) => {
  await expect(readRateFile(text)).rejects.toThrow(message);
});
