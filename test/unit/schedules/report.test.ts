/** Scheduled reports as mails: what each part of a board says, and what is attached. */
import { resolveQuestion, type Question } from '../../../src/questions/question';
import { writeReport, type Part } from '../../../src/schedules/report';

const RUN = {
  as_of: new Date('2026-03-08T06:00:00Z'),
  due_at: null,
  schedule_id: 1,
  name: 'Weekly',
  board: 'Growth <&>',
  board_id: 3,
  project_id: 2,
  project: 'Shop',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
};
const TODAY = '2026-03-08';
const PAGE = 'https://adtrail.example/projects/2/boards/3';

/** A table of installs by country, of which there are `all` rows and the answer has some. */
function table(name: string, countries: readonly string[], all = countries.length, more: Partial<Question> = {}): Part {
  const question: Question = {
    source: 'app',
    metrics: ['installs'],
    dimensions: ['country'],
    range: 'last_7_days',
    chart: 'table',
    ...more,
  };
  const results = countries.map((country, at) => ({
    dimensions: [country],
    labels: [country],
    metrics: [at + 1],
    ...(more.compare && { comparison: [at + 2] }),
  }));
  const answer = { results, meta: { currency: 'EUR', rows: all }, query: {} };
  return { name, question, query: resolveQuestion(question, TODAY), answer };
}
const write = (board: readonly Part[], publicUrl?: string) => writeReport(RUN, board, TODAY, publicUrl);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `C${at}`);

test('says whose board it is, of which day and in which zone, and leads to it where its address is known', async () => {
  const { subject, text, html } = await write([{ heading: 'By <country>' }], 'https://adtrail.example');
  expect(subject).toBe('Shop: Growth <&>, 2026-03-08');
  expect(text).toBe(`Shop: Growth <&>, 2026-03-08\n\nDays of Europe/Berlin.\n\nBy <country>\n\n${PAGE}`);
  expect(html).toContain('By &lt;country&gt;</h2>');
  expect(html).toContain(`<a href="${PAGE}">Growth &lt;&amp;&gt;</a>`);
  expect((await write([])).html).not.toContain('href');
});

test.each([
  ['one row', 1, 1, undefined],
  ['as many rows as a mail shows', 20, 20, undefined],
  ['one row more', 21, 21, 'and 1 more, in the file'],
  ['rows that the answer has not', 20, 500, 'and 480 more, in the file'],
])('a table of %s', async (_, given, all, rest) => {
  const { html = '', text } = await write([table('Countries', numbered(given), all)]);
  const shown = Math.min(given, 20);
  expect(html.match(/<tr>/g)).toHaveLength(shown + 1);
  for (const said of [html, text]) expect(/and \d+ more, in the file/.exec(said)?.[0]).toBe(rest);
  expect(text).toContain('Countries (2026-03-02 to 2026-03-08)\ncountry  Installs\nC0  1');
  expect(text.includes(`C${shown - 1}  ${shown}`)).toBe(true);
  expect(text).not.toContain(`C${shown}`);
});

test('what is compared has the figures of before beside those of now', async () => {
  const { text } = await write([table('Countries', ['DE'], 1, { compare: 'previous_period' })]);
  expect(text).toContain('country  Installs  Installs, before\nDE  1  2');
});

test('a question that has no answer says why, and the others have theirs', async () => {
  const {
    html,
    text,
    attachments = [],
  } = await write([{ name: 'Broken <b>', problem: 'metrics: unknown metric "x<y"' }, table('Countries', ['<i>'])]);
  expect(text).toContain('Broken <b>\nmetrics: unknown metric "x<y"');
  expect(html).toContain('Broken &lt;b&gt;</h3><p>metrics: unknown metric &quot;x&lt;y&quot;</p>');
  expect(html).toContain('>&lt;i&gt;</td>');
  expect(attachments.map(({ filename }) => filename)).toEqual(['2 Countries.csv']);
});

test('each question has a file of all its rows, by a name that every system takes', async () => {
  const { attachments = [], html } = await write([table('Installs/by: day', ['DE']), table('', numbered(25))]);
  expect(attachments.map(({ filename }) => filename)).toEqual(['1 Installs by day.csv', '2 question.csv']);
  expect(attachments[1]?.content.toString().trim().split(/\r?\n/)).toHaveLength(26);
  expect(html).not.toContain('<img');
});

test('what is too large for a mail is left out, and what is small enough stays', async () => {
  const large = table('Large', ['x'.repeat(10_000_001)]);
  const { attachments = [] } = await write([large, table('Small', ['DE'])]);
  expect(attachments.map(({ filename }) => filename)).toEqual(['2 Small.csv']);
});
