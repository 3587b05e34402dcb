/** Figures of an app report for unit tests: a row without any, and what a test changes of it. */
import { unitsOf } from '../../src/decimal';
import { MONEY_SCALE } from '../../src/format';
import { noFigures, type Figures } from '../../src/app-report/figures';

export const money = (text: string) => unitsOf(text, MONEY_SCALE);

export const figuresOf = (more: Partial<Figures> = {}): Figures => ({
  ...noFigures({ campaign_id: 1, ad_set: '', ad: '', keyword: '' }),
  ...more,
});
