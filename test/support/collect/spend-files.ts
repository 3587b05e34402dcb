/**
 * Random files of spend: a good one, then what spreadsheets, networks and people do to it. What each row truly says is
 * kept beside the text, so that whoever reads the file can be judged without reading it the same way.
 */

/** A row as it is true; numbers as plain decimals. */
export interface TrueRow {
  readonly date: string;
  readonly network: string;
  readonly account: string;
  readonly campaign_id: string;
  readonly campaign_name: string;
  readonly ad_set_id: string;
  readonly impressions: number;
  readonly clicks: number;
  /** In thousandths. */
  readonly thousandths: number;
  readonly currency: string;
}

export interface SpendFile {
  readonly rows: readonly TrueRow[];
  /** How many rows there are for a reader, if that can be said; each is stored or refused. */
  readonly count: number | undefined;
  readonly text: string;
  readonly bytes: Buffer;
  /** As the request declares it. */
  readonly charset: string | undefined;
  readonly ways: readonly string[];
  /** Nothing was done that could not be undone for certain: every row has to be stored. */
  readonly isClean: boolean;
}

export type Random = (below: number) => number;

/** Whole numbers below another, the same ones for the same seed (mulberry32). */
export function readRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;
const digits = (random: Random, length: number) =>
  `${1 + random(9)}${Array.from({ length: length - 1 }, () => random(10)).join('')}`;

function makeRow(random: Random, used: Set<string>): TrueRow {
  let campaign_id = '';
  do campaign_id = `${digits(random, pick(random, [6, 9, 13, 17, 17]))}${1 + random(9)}`;
  while (used.size === used.add(campaign_id).size);
  return {
    date: `2026-0${1 + random(9)}-${String(1 + random(28)).padStart(2, '0')}`,
    network: pick(random, ['META', 'GOOGLE', 'APPLE_SEARCH_ADS']),
    account: pick(random, ['act_1', '123-456-7890']),
    campaign_id,
    campaign_name: pick(random, ['Summer', 'Größe – 50 €', 'Café, "new"', "Men's; 5%", 'a\tb', '']),
    ad_set_id: pick(random, ['', '', digits(random, 12)]),
    impressions: pick(random, [0, 7, 999, 1_000, 12_345, 1_234_567]),
    clicks: pick(random, [0, 3, 1_000, 4_321]),
    thousandths: pick(
      random,
      [0, 1_430, 12_500, 999_000, 1_234_000, 1_234_560, -5_250, 123, 1_234, 25_125, 1_234_567_890],
    ),
    currency: pick(random, ['USD', 'EUR', 'INR']),
  };
}

/** Thousandths as a decimal, with two decimals where these are enough, or with none. */
function plain(thousandths: number, isShort = false): string {
  const [whole, rest] = [Math.trunc(Math.abs(thousandths) / 1_000), Math.abs(thousandths) % 1_000];
  const decimals = String(rest).padStart(3, '0').replace(/0$/, '');
  const sign = thousandths < 0 ? '-' : '';
  return isShort && rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${decimals}`;
}

/** What is to be stored of a row. */
export const readTruth = (row: TrueRow) => ({
  date: row.date,
  network: row.network,
  account: row.account,
  campaignId: row.campaign_id,
  platform: '',
  impressions: row.impressions,
  clicks: row.clicks,
  spend: `${row.thousandths < 0 ? '-' : ''}${Math.trunc(Math.abs(row.thousandths) / 1_000)}.${String(
    Math.abs(row.thousandths) % 1_000,
  ).padStart(3, '0')}000000`,
  currency: row.currency,
  campaign_name: row.campaign_name.replaceAll('\t', ' '),
  ad_set_name: '',
  ad_name: '',
  keyword_name: '',
  ad_set_id: row.ad_set_id,
  ad_id: '',
  keyword_id: '',
});

const group = (whole: string, separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
/** A number in a locale: its signs for decimals and for thousands. */
const localised = (point: string, thousands: string) => (text: string) => {
  const [, sign = '', whole = '', decimals] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return `${sign}${group(whole, thousands)}${decimals === undefined ? '' : point + decimals}`;
};
type Write = (text: string) => string;
const LOCALES: Readonly<Record<string, Write>> = {
  German: localised(',', '.'),
  'German, without thousands': localised(',', ''),
  French: localised(',', '\u202f'),
  'French, old': localised(',', '\u00a0'),
  Russian: localised(',', ' '),
  English: localised('.', ','),
  Swiss: localised('.', "'"),
};
const AMOUNTS: Readonly<Record<string, Write>> = {
  dollar: (text) => `$${text}`,
  euro: (text) => `${text} €`,
  code: (text) => `${text} EUR`,
  'minus behind': (text) => (text.startsWith('-') ? `${text.slice(1)}-` : text),
  'minus of typesetters': (text) => text.replace('-', '−'),
  accounting: (text) => (text.startsWith('-') ? `(${text.slice(1)})` : text),
  scientific: (text) => Number(text).toExponential(2).toUpperCase(),
};
const IDS: Readonly<Record<string, Write>> = {
  scientific: (id) => Number(id).toExponential(5).toUpperCase(),
  'scientific, German': (id) => Number(id).toExponential(5).toUpperCase().replace('.', ','),
  decimal: (id) => `${id}.0`,
  apostrophe: (id) => `'${id}`,
  formula: (id) => `="${id}"`,
  report: (id) => `c:${id}`,
  grouped: (id) => group(id, ','),
  'grouped, German': (id) => group(id, '.'),
  'grouped, French': (id) => group(id, '\u00a0'),
  quoted: (id) => `"${id}"`,
  'zero-width': (id) => `${id}\u200b`,
  reference: () => '#REF!',
  'not available': () => '#N/A',
  rounded: (id) => (id.length < 17 ? id : id.slice(0, 15).padEnd(id.length, '0')),
};
const DATES: Readonly<Record<string, Write>> = {
  American: (day) => day.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1'),
  German: (day) => day.replace(/(\d+)-(\d+)-(\d+)/, '$3.$2.$1'),
  short: (day) => day.replaceAll('-0', '-'),
  serial: (day) => String((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000),
  time: (day) => `${day}T00:00:00`,
  slashes: (day) => day.replaceAll('-', '/'),
};
const NAMES: Readonly<Record<string, Write>> = {
  decomposed: (name) => name.normalize('NFD'),
  spaces: (name) => `${name}  `,
  'no-break space': (name) => `\u00a0${name}`,
  'zero-width space': (name) => `\u200b${name}\ufeff`,
};

type Cells = Record<string, string>;
const COLUMNS = [
  'date',
  'network',
  'account',
  'campaign_id',
  'campaign_name',
  'ad_set_id',
  'impressions',
  'clicks',
  'spend',
  'currency',
];
const HEADERS: readonly Write[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll('_', ' '),
  (name) => ` ${name.replace(/^./, (first) => first.toUpperCase())} `,
  (name) => name.replaceAll('_', '-'),
];

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const shuffled = <T>(random: Random, values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, at: random(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

export function makeSpendFile(random: Random): SpendFile {
  const ways: string[] = [];
  let isClean = true;
  const used = new Set<string>();
  let rows = Array.from({ length: 1 + random(6) }, () => makeRow(random, used));
  const isShort = random(2) === 0;
  const written = rows.map((row): Cells => ({
    ...Object.fromEntries(COLUMNS.map((column) => [column, String(row[column as keyof TrueRow] ?? '')])),
    spend: plain(row.thousandths, isShort),
  }));
  // 1.234 alone may be more than a thousand.
  if (written.some(({ spend }) => /^-?[1-9]\d{0,2}\.\d{3}$/.test(spend as string))) isClean = false;
  /** Now and then, a way that some cells are written. */
  const rewrite = (
    kind: string,
    oneIn: number,
    writers: Readonly<Record<string, Write>>,
    columns: readonly string[],
  ) => {
    if (random(oneIn) > 0) return false;
    const way = pick(random, Object.keys(writers));
    const isOfAll = random(3) > 0;
    const only = random(rows.length);
    for (const [i, cells] of written.entries())
      if (isOfAll || i === only)
        for (const column of columns) if (cells[column]) cells[column] = (writers[way] as Write)(cells[column]);
    ways.push(`${kind}: ${way}`);
    return true;
  };
  if (rewrite('numbers', 4, LOCALES, ['spend', 'impressions', 'clicks'])) isClean = false;
  if (rewrite('amounts', 8, AMOUNTS, ['spend'])) isClean = false;
  if (rewrite('IDs', 5, IDS, [pick(random, ['campaign_id', 'ad_set_id'])])) isClean = false;
  if (rewrite('dates', 8, DATES, ['date'])) isClean = false;
  rewrite('names', 4, NAMES, ['campaign_name']);
  rewrite('codes', 5, { 'lower case': (code) => code.toLowerCase() }, ['network', 'currency']);

  const columns = random(3) === 0 ? shuffled(random, COLUMNS) : [...COLUMNS];
  if (random(12) === 0) {
    const [left = ''] = columns.splice(random(columns.length), 1);
    ways.push(`without ${left}`);
    isClean = false;
    // What the file does not say is not known.
    rows = rows.map((row) => ({ ...row, [left]: ['impressions', 'clicks'].includes(left) ? 0 : '' }));
  }
  const lines: string[][] = written.map((cells) => columns.map((column) => cells[column] as string));
  const header = columns.map(pick(random, HEADERS));
  if (random(10) === 0) {
    ways.push('another column');
    header.push(pick(random, ['Cost per click', '', 'Reach']));
    if (header.at(-1) !== '') for (const line of lines) line.push(String(random(100)));
  }
  if (random(12) === 0) {
    ways.push('a row twice');
    isClean = false;
    lines.push([...pick(random, lines)]);
  }
  if (random(8) === 0) {
    ways.push('total');
    isClean = false;
    const total = rows.reduce((sum, { thousandths }) => sum + thousandths, 0);
    const word = pick(random, ['Total', 'Gesamt', 'Summe', 'Grand total', '']);
    const labelled = pick(random, ['date', 'campaign_id']);
    lines.push(
      columns.map((column) =>
        column === labelled
          ? word
          : ({ spend: plain(total), currency: 'USD', date: '2026-01-01', network: 'META', account: 'act_1' }[column] ??
            ''),
      ),
    );
  }
  if (random(15) === 0) {
    ways.push('the header again');
    isClean = false;
    lines.splice(random(lines.length), 0, [...header]);
  }

  const separator = pick(random, [',', ',', ';', '\t']);
  const quoting = pick(random, ['where needed', 'everywhere', 'never']);
  const needs = (cell: string) => /["\r\n]/.test(cell) || cell.includes(separator) || /^\s|\s$/.test(cell);
  if (quoting === 'never' && [...lines, header].flat().some((cell) => needs(cell.trim()))) {
    ways.push('shifted');
    isClean = false;
  }
  const write = (cells: readonly string[]) =>
    cells
      .map((cell) => (quoting === 'everywhere' || (quoting !== 'never' && needs(cell)) ? quote(cell) : cell))
      .join(separator);
  const trailing = random(6) === 0 ? separator.repeat(1 + random(3)) : '';
  const body = [write(header) + trailing, ...lines.map((line) => write(line) + trailing)];
  if (random(6) === 0) body.splice(1 + random(body.length), 0, '', separator.repeat(columns.length - 1), '  ');
  if (random(5) === 0)
    body.unshift(...pick(random, [['Report'], ['Meta Ads, all accounts', ''], ['"Spend; 2026"', 'from;to', '']]));
  if (random(5) === 0) body.unshift(`${pick(random, ['sep=', 'SEP='])}${separator}`);
  const end = pick(random, ['\n', '\r\n', '\r\n', '\r']);
  const text = body.join(end) + (random(2) ? end : '');
  const encoded = encode(random, text);
  if (encoded.way) ways.push(encoded.way);
  const count = ways.includes('shifted') ? undefined : lines.length;
  return {
    rows,
    count,
    text,
    ways,
    isClean: isClean && encoded.isClean,
    bytes: encoded.bytes,
    charset: encoded.charset,
  };
}

/** What windows-1252 has beside ISO 8859-1, of the characters that are used here. */
const WINDOWS: Readonly<Record<string, number>> = { '€': 0x80, '–': 0x96 };

function encode(random: Random, text: string) {
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const codes = Array.from(text, (character) => WINDOWS[character] ?? (character.codePointAt(0) as number));
  const isWindows = codes.every((code) => code < 0x100);
  const windows = Buffer.from(codes);
  const hasMore = codes.some((code) => code > 0x7f);
  const ways = [
    { bytes: Buffer.from(text), charset: undefined, isClean: true, way: '' },
    { bytes: Buffer.from(text), charset: 'UTF-8', isClean: true, way: '' },
    { bytes: Buffer.from(`\ufeff${text}`), charset: 'utf-8', isClean: true, way: 'mark' },
    { bytes: Buffer.from(`\ufeff${text}`), charset: 'iso-8859-1', isClean: true, way: 'mark, declared otherwise' },
    { bytes: utf16, charset: undefined, isClean: true, way: 'UTF-16' },
    { bytes: Buffer.from(utf16).swap16(), charset: 'utf-16', isClean: true, way: 'UTF-16, the other way round' },
    ...(isWindows
      ? [
          { bytes: windows, charset: pick(random, ['windows-1252', 'ISO-8859-1']), isClean: true, way: 'windows-1252' },
          { bytes: windows, charset: undefined, isClean: !hasMore, way: 'windows-1252, not declared' },
        ]
      : []),
    { bytes: Buffer.from(text), charset: 'klingon', isClean: false, way: 'klingon' },
  ];
  return pick(random, ways);
}
