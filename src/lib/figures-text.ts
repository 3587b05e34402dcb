/** Figures and names as texts of mails, in English (pure). */

type Format = 'count' | 'money' | 'percent' | 'ratio' | 'seconds';

const plain = (figure: number, digits: number) =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }).format(figure);

/** `12,540`, `$12,540.50`, `12.34 %`, `2.35`, `95 s`; `–` for none. */
export function writeFigure(figure: number | null, format: Format, currency: string): string {
  if (figure === null || !Number.isFinite(figure)) return '–';
  switch (format) {
    case 'money':
      return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency || 'USD' }).format(figure);
    case 'percent':
      return `${plain(figure, 2)} %`;
    case 'seconds':
      return `${plain(figure, 0)} s`;
    case 'ratio':
      return plain(figure, 4);
    case 'count':
      return plain(figure, 2);
  }
}

/** A change in per cent, with its sign. */
export const writeChange = (percent: number) => `${percent < 0 ? '−' : '+'}${plain(Math.abs(percent), 1)} %`;

/** A text that somebody chose, on one line, of which a program of mails makes no link and no address. */
export const writeName = (name: string) =>
  name
    .replace(/\p{C}+/gu, ' ')
    .replace(/[/@\\]|\.(?=\p{L})|:(?=\/)/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
