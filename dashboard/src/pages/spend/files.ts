/** The files that the page gives: a template, and the refused rows. */
import { saveRows } from '../../components/files';
import { spend as spendTexts } from '../../texts/spend';
import type { Uploaded } from './send-file';
import { texts } from '../../texts';

const example = Object.fromEntries(spendTexts.columns.map(([name, , , value]) => [name, value]));

export const saveTemplate = () => saveRows('spend-template.csv', [example]);

export const saveRefused = (rows: Uploaded['rows']) =>
  saveRows(
    'refused-rows.csv',
    rows.map(({ row, field, msg }) => ({
      [spendTexts.line]: row,
      [texts.column]: field,
      [spendTexts.wrong]: msg,
    })),
  );
