/** Figures of an app report for unit tests: a row without any, and what a test changes of it. */
import { Decimal } from '../../../src/lib/decimal';
import { noFigures, type Figures } from '../../../src/app-report/figures';

export const money = (text: string) => new Decimal(text);

export const readFigures = (more: Partial<Figures> = {}): Figures => ({
  ...noFigures({ level: 'campaign', campaign_id: 1, ad_set: '', ad: '', keyword: '' }),
  ...more,
});
