/** Asks a project a question, for endpoints and for what asks by itself, such as alerts and schedules. */
import type { ReportRunner } from '../reporting/report-runner';
import { answer, listStatements, prepare, type Answer, type Prepared, type QueryOptions } from './answer';
import type { KeptAnswers } from './kept-answers';
import { resolveComplete, resolveEarlier, resolveQuestion, type Question } from './question';
import type { Query } from './query-input';

export interface AskParts extends QueryOptions {
  readonly reports: ReportRunner;
  /** Answers that are still right; undefined where that cannot be known, and for who asks a thing but once. */
  readonly kept?: KeptAnswers | undefined;
}

/**
 * Answers a question for the day that it is now where the project is, in its turn among the reports of the process.
 *
 * @throws ApiError 400 for a question without a meaning, 503 for one that takes more than a report may, or while too
 * many wait; UnavailableError while an engine is away or the figures lack something of the project.
 */
export async function ask(parts: AskParts, projectId: number, question: Question): Promise<Answer> {
  return askWith(parts, projectId, question.source, (today) => resolveQuestion(question, today));
}

/** The same of a query whose days are given. */
export const askQuery = (parts: AskParts, projectId: number, query: Query): Promise<Answer> =>
  askWith(parts, projectId, query.source, () => query);

/** The same of what else is to be known of it; null where the answer itself tells that. */
const askMore =
  (resolve: (question: Question, today: string) => Query | undefined) =>
  async (parts: AskParts, projectId: number, question: Question): Promise<Answer | null> => {
    const prepared = await prepare(parts, projectId, question.source);
    const query = resolve(question, prepared.about.today);
    return query ? askPrepared(parts, prepared, query) : null;
  };

/** Its days that are over, by which changes are measured. */
export const askComplete = askMore(resolveComplete);
/** The longer range that a chart compares with. */
export const askEarlier = askMore(resolveEarlier);

async function askWith(
  parts: AskParts,
  projectId: number,
  source: Query['source'],
  resolve: (today: string) => Query,
): Promise<Answer> {
  const prepared = await prepare(parts, projectId, source);
  return askPrepared(parts, prepared, resolve(prepared.about.today));
}

function askPrepared(parts: AskParts, prepared: Prepared, query: Query): Promise<Answer> {
  const compute = () => parts.reports.compute('query', (budget) => answer(budget, prepared, query));
  return parts.kept ? recall(parts.kept, prepared, query, compute) : compute();
}

/** The answer that is kept, with up to when everything accepted is in it now: nothing of it has changed since. */
async function recall(
  kept: KeptAnswers,
  { about, completeUntil }: Prepared,
  query: Query,
  compute: () => Promise<Answer>,
): Promise<Answer> {
  const statements = listStatements(query, about);
  const texts = statements.map(({ text }) => text);
  const asked = JSON.stringify([about, query.include, query.compare ?? null, statements]);
  const given = await kept.get(asked, texts, compute);
  return { ...given, meta: { ...given.meta, complete_until: completeUntil } };
}
