/**
 * Answers that are kept for as long as they are right: a question that is asked again is answered without a statement
 * while no row of any table that it reads has changed.
 *
 * An answer follows from the statements with everything that they bind (the question, the days, the project's zone and
 * currency, the day that it is there, pauses of campaigns), and from the rows of the tables that they read. The key has
 * the first, and the state of each of those tables as ClickHouse tells it now: what is derived late, decided anew or
 * erased, spend, exchange rates and names of campaigns are all rows. So nothing has to say that something has changed.
 */
import type { ClickHouse } from '../db/clickhouse';
import { readQuery, readViews } from '../db/sql';
import { joinCalls } from '../lib/joined';
import type { Answer } from './answer';

/** What is kept at most: values in all answers together, and in one of them. */
const MAX_VALUES = 400_000;
const MAX_VALUES_OF_ONE = 100_000;
/** Nothing is older, so that what nobody thought of lasts no longer either. */
const MAX_AGE_MS = 10 * 60_000;

const STATES = readQuery('clickhouse', 'answers.states');

interface Kept {
  readonly answer: Promise<Answer>;
  readonly since: number;
  /** 0 while it is being answered. */
  values: number;
}

const countValues = ({ results, sql = '' }: Answer): number =>
  sql.length / 8 +
  results.reduce(
    (sum, { dimensions, metrics, comparison = [] }) => sum + 2 * dimensions.length + metrics.length + comparison.length,
    1,
  );

/** The names that stand behind `adtrail.` in a text. */
const listNames = (text: string): string[] => [...text.matchAll(/\badtrail\.(\w+)/g)].map(([, name = '']) => name);

/** The tables that a view reads, or that a statement does: those below its views too. */
export function listTables(text: string, views: ReadonlyMap<string, string> = readOwnViews()): Set<string> {
  const found = new Set<string>();
  const waiting = listNames(text);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...listNames(views.get(name) ?? ''));
  }
  return found;
}

let ownViews: ReadonlyMap<string, string> | undefined;
/** The text of each view of `adtrail`. */
function readOwnViews(): ReadonlyMap<string, string> {
  ownViews ??= new Map(
    readViews().flatMap(({ text }) =>
      [...text.matchAll(/VIEW (?:IF NOT EXISTS )?adtrail\.(\w+)/g)].map(([, name = '']) => [name, text] as const),
    ),
  );
  return ownViews;
}

export class KeptAnswers {
  private readonly kept = new Map<string, Kept>();
  private values = 0;
  private readonly readStates: () => Promise<ReadonlyMap<string, string>>;

  constructor(
    clickhouse: Pick<ClickHouse, 'rows'>,
    private readonly now: () => number,
  ) {
    this.readStates = joinCalls(async () => {
      const rows = await clickhouse.rows<{ table: string; state: string }>(STATES);
      return new Map(rows.map(({ table, state }) => [table, state]));
    });
  }

  /**
   * The answer to what is asked by these statements, with what they bind; whoever asks the same meanwhile waits for the
   * same. What the tables hold is looked at first, so that an answer is never older than the state that it is kept for.
   *
   * @throws what `answer` throws, which is not kept, or UnavailableError while ClickHouse is away.
   */
  async get(asked: string, statements: readonly string[], answer: () => Promise<Answer>): Promise<Answer> {
    const states = await this.readStates();
    const tables = [...listTables(statements.join('\n'))].sort();
    const key = JSON.stringify([asked, tables.map((table) => states.get(table) ?? '')]);
    const present = this.kept.get(key);
    if (present && this.now() - present.since < MAX_AGE_MS) {
      // Those asked for last go last.
      this.kept.delete(key);
      this.kept.set(key, present);
      return present.answer;
    }
    if (present) this.drop(key, present);
    const kept: Kept = { answer: answer(), since: this.now(), values: 0 };
    this.kept.set(key, kept);
    kept.answer.then(
      (given) => this.weigh(key, kept, countValues(given)),
      () => this.drop(key, kept),
    );
    return kept.answer;
  }

  private weigh(key: string, kept: Kept, values: number): void {
    if (this.kept.get(key) !== kept) return;
    if (values > MAX_VALUES_OF_ONE) return this.drop(key, kept);
    kept.values = values;
    this.values += values;
    for (const [oldest, one] of this.kept) {
      if (this.values <= MAX_VALUES) break;
      // What is being answered weighs nothing yet.
      if (one.values > 0) this.drop(oldest, one);
    }
  }

  private drop(key: string, kept: Kept): void {
    if (this.kept.get(key) !== kept) return;
    this.kept.delete(key);
    this.values -= kept.values;
  }
}
