/** A board as a mail: its figures, a chart for each question that is drawn, and a CSV of each. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError } from '../errors';
import { FORMATS } from '../files/formats';
import { writeFigure, writeName } from '../lib/figures-text';
import { escapeHtml } from '../lib/html';
import { dayIn } from '../lib/time';
import type { Attachment, Content } from '../notices/content';
import type { Answer } from '../questions/answer';
import { askQuery, type AskParts } from '../questions/ask';
import type { Query } from '../questions/query-input';
import { readQuestion, resolveQuestion, type Question } from '../questions/question';
import { readChart, type ChartData } from './chart-data';
import * as queries from './queries';

/** Rows of a table in the mail itself; the CSV has all. */
const MOST_ROWS = 20;
/** Questions of a board that a mail has. */
const MOST_QUESTIONS = 30;
/** Bytes of all that is attached: mail servers refuse more. */
const MOST_BYTES = 10_000_000;
/** The attempt at a mail that says of a question that it cannot be answered now; those before wait for its figures. */
const SAYING_ATTEMPT = 3;

/** A question of a board with what came of it. */
interface Asked {
  readonly name: string;
  readonly question: Question;
  readonly query: Query;
  readonly answer: Answer;
}
/** What stands at one place of a board. */
export type Part = { readonly heading: string } | Asked | { readonly name: string; readonly problem: string };

/** Which attempt at a mail it is, from 1 on, and the last that there is. */
interface Attempt {
  readonly attempts: number;
  readonly last: number;
}

/**
 * A mail for a moment in which the service was busy has no figures: it is made again later.
 *
 * @throws UnavailableError or ApiError 503 while figures cannot be computed. Undefined where the run is gone.
 */
export async function composeRun(
  parts: AskParts,
  runId: number,
  publicUrl: string | undefined,
  { attempts, last }: Attempt,
): Promise<Content | undefined> {
  const [run] = await queries.findRun(parts.postgres, runId);
  if (!run) return undefined;
  const today = dayIn(run.timezone, run.as_of.getTime());
  const items = (await queries.listItems(parts.postgres, run.board_id)).slice(0, MOST_QUESTIONS);
  const board: Part[] = [];
  const isPatient = attempts < Math.min(SAYING_ATTEMPT, last);
  for (const item of items) board.push(await askItem(parts, run.project_id, item, today, isPatient));
  return writeReport(run, board, today, publicUrl);
}

async function askItem(
  parts: AskParts,
  projectId: number,
  item: queries.ItemRow,
  today: string,
  isPatient: boolean,
): Promise<Part> {
  if (item.heading !== null) return { heading: item.heading };
  const name = item.name ?? '';
  try {
    const question = readQuestion(item.question);
    const query = resolveQuestion(question, today);
    return { name, question, query, answer: await askQuery(parts, projectId, query) };
  } catch (error) {
    // What an earlier version kept may mean nothing to this one, and one question may take more than a report may:
    // the others are sent.
    if (error instanceof ApiError && !(isPatient && error.status >= 500)) return { name, problem: error.message };
    throw error;
  }
}

/** The mail of a run: each part of the board in its order; `publicUrl` without a slash at its end. */
export async function writeReport(
  run: queries.RunRow,
  board: readonly Part[],
  today: string,
  publicUrl: string | undefined,
): Promise<Content> {
  const page = publicUrl && `${publicUrl}/projects/${run.project_id}/boards/${run.board_id}`;
  const title = `${writeName(run.project)}: ${writeName(run.board)}, ${today}`;
  const made = await Promise.all(board.map(writePart));
  const attachments = keepWithin(
    MOST_BYTES,
    made.flatMap((part) => part.attachments),
  );
  const shown = new Set(attachments.map(({ cid }) => cid));
  const note = `Days of ${run.timezone}.`;
  const link = page ? `<p><a href="${escapeHtml(page)}">${escapeHtml(writeName(run.board))}</a></p>` : '';
  return {
    subject: title,
    text: [title, note, ...made.map(({ text }) => text), ...(page ? [page] : [])].join('\n\n'),
    html: [
      `<h1 style="font-size:20px">${escapeHtml(title)}</h1><p style="color:#777">${escapeHtml(note)}</p>`,
      ...made.map(({ html, cid }) => html(cid !== undefined && shown.has(cid))),
      link,
    ].join('\n'),
    attachments,
    type: 'report',
    timestamp: run.as_of.toISOString(),
    data: {},
  };
}

/** The attachments that there is room for, in their order. */
function keepWithin(bytes: number, attachments: readonly Attachment[]): Attachment[] {
  let left = bytes;
  return attachments.filter(({ content }) => {
    if (content.length > left) return false;
    left -= content.length;
    return true;
  });
}

interface Written {
  readonly text: string;
  readonly html: (hasChart: boolean) => string;
  readonly cid?: string;
  readonly attachments: readonly Attachment[];
}

async function writePart(part: Part, at: number): Promise<Written> {
  if ('heading' in part) {
    const heading = writeName(part.heading);
    const html = `<h2 style="font-size:17px">${escapeHtml(heading)}</h2>`;
    return { text: heading, html: () => html, attachments: [] };
  }
  const name = writeName(part.name);
  const title = `<h3 style="font-size:15px">${escapeHtml(name)}</h3>`;
  if ('problem' in part) {
    const html = `${title}<p>${escapeHtml(part.problem)}</p>`;
    return { text: `${name}\n${part.problem}`, html: () => html, attachments: [] };
  }
  const { query, answer } = part;
  const file = `${at + 1} ${name.replace(/[^\p{L}\p{N} _-]+/gu, '').slice(0, 60) || 'question'}`;
  const csv: Attachment = {
    filename: `${file}.csv`,
    contentType: 'text/csv; charset=utf-8',
    content: await writeCsv(part),
  };
  const data = readChart(part.question, query, answer);
  const cid = `chart-${at + 1}@adtrail`;
  const png: Attachment[] = data
    ? [{ filename: `${file}.png`, contentType: 'image/png', content: await draw(data), cid }]
    : [];
  const range = query.from === query.to ? query.from : `${query.from} to ${query.to}`;
  const rows = readRows(part);
  const chart = `<img src="cid:${cid}" alt="${escapeHtml(name)}" width="640" style="max-width:100%">`;
  const before = `${title}<p style="color:#777">${escapeHtml(range)}</p>`;
  return {
    text: [`${name} (${range})`, ...rows.lines.map((line) => line.join('  ')), ...rows.rest].join('\n'),
    html: (hasChart) => `${before}${hasChart ? chart : ''}${writeTable(rows)}`,
    ...(data ? { cid } : {}),
    attachments: [...png, csv],
  };
}

interface Rows {
  readonly lines: readonly (readonly string[])[];
  /** What is said of those that are not shown, if there are any. */
  readonly rest: readonly string[];
}

/** The first rows as texts, below a line that says what they are. */
function readRows({ query, answer }: Asked): Rows {
  const { metrics, dimensions } = query;
  const currency = String(answer.meta.currency);
  const write = (values: readonly (number | null)[]) =>
    values.map((value, at) => writeFigure(value, metrics[at]?.format ?? 'count', currency));
  const head = [
    ...dimensions,
    ...metrics.map(({ label }) => label),
    ...(query.compare ? metrics.map(({ label }) => `${label}, before`) : []),
  ];
  const lines = answer.results
    .slice(0, MOST_ROWS)
    .map(({ labels, metrics: values, comparison = [] }) => [
      ...labels.map(writeName),
      ...write(values),
      ...(query.compare ? write(comparison) : []),
    ]);
  const more = Number(answer.meta.rows) - lines.length;
  return { lines: [head, ...lines], rest: more > 0 ? [`and ${more} more, in the file`] : [] };
}

const CELL = 'padding:4px 12px 4px 0;text-align:left;border-bottom:1px solid #ddd';
function writeTable({ lines: [head = [], ...lines], rest }: Rows): string {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag} style="${CELL}">${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const body = [row('th', head), ...lines.map((one) => row('td', one))].join('');
  const below = rest.map((text) => `<p style="color:#777">${text}</p>`);
  return [`<table style="border-collapse:collapse">${body}</table>`, ...below].join('');
}

/** What draws is loaded with the first chart: it takes 35 MB, and 0.2 seconds of a start. */
const draw = async (data: ChartData): Promise<Buffer> => (await import('./chart.js')).drawChart(data);

/** With a byte order mark, by which Excel knows UTF-8; no spreadsheet runs anything of it. */
function writeCsv({ query, answer }: Asked): Promise<Buffer> {
  const { metrics, dimensions } = query;
  const names = metrics.map(({ name }) => name);
  const columns = [
    ...dimensions.map((name) => ({ name, type: 'text' as const })),
    ...dimensions.map((name) => ({ name: `${name}_name`, type: 'text' as const })),
    ...names.map((name) => ({ name, type: 'number' as const })),
    ...(query.compare ? names.map((name) => ({ name: `${name}_before`, type: 'number' as const })) : []),
  ];
  const rows = answer.results.map(({ dimensions: values, labels, metrics: figures, comparison = [] }) => [
    ...values,
    ...labels,
    ...figures,
    ...(query.compare ? comparison : []),
  ]);
  return buffer(FORMATS.csv.encode(columns, Readable.from(rows), { bom: true }));
}
