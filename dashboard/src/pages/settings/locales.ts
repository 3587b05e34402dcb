/** How numbers and dates can be written, each with an example. */
import { createFormats } from '../../format';

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });
const LOCALES = (
  'en-US en-GB en-AU en-CA en-IE en-IN en-NZ en-SG en-ZA cs-CZ da-DK de-AT de-CH de-DE el-GR es-ES es-MX fi-FI ' +
  'fr-CA fr-CH fr-FR he-IL hu-HU id-ID it-IT ja-JP ko-KR nb-NO nl-NL pl-PL pt-BR pt-PT ro-RO ru-RU sv-SE th-TH tr-TR ' +
  'uk-UA vi-VN zh-CN zh-TW'
)
  .split(' ')
  .map((locale) => ({ value: locale, label: describeLocale(locale) }));
function describeLocale(locale: string): string {
  const { day, count } = createFormats('USD', 'UTC', locale);
  return `${LANGUAGES.of(locale) ?? locale} · ${day('2026-10-31')} · ${count(1234.5)}`;
}
/** With the one that a project has. */
export const withOwnLocale = (locale: string) =>
  LOCALES.some(({ value }) => value === locale)
    ? LOCALES
    : [{ value: locale, label: describeLocale(locale) }, ...LOCALES];
