/** The statements of queries: compiled from the models of src/figures. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';
import { compile, type Options, type Question, type Statement } from '../figures/compile';
import { storableDay } from '../lib/time';
import { pauseParams, type PauseRow } from '../figures/pauses';
import { SOURCES, type Query, type Range } from './query-input';

/** What is known of the project whose figures are asked for. */
export interface ProjectRow extends Row {
  timezone: string;
  currency: string;
  /** Whether what the source is derived from was derived with all that queries read. */
  is_derived: boolean;
  /** Receipt time, in milliseconds, up to which everything accepted is in the figures; null before the first. */
  complete_until: number | null;
}

const projectTexts = { app: readQuery('sql', 'query.project'), web: readQuery('sql', 'query.project-of-web') };

export const readProject = async (db: Queryable, projectId: number, source: Query['source']) =>
  (await db.rows<ProjectRow>(projectTexts[source], [projectId]))[0] as ProjectRow;

/** What a question is about, as its statements bind it. */
export interface Parameters {
  readonly project_id: number;
  readonly today: string;
  readonly timezone: string;
  readonly currency: string;
  /** For web queries: when campaigns were paused, which does not count. */
  readonly pauses: readonly PauseRow[];
}

/** The rows of a range, one page of them or, over all, their totals. */
export interface Part
  extends
    Partial<Pick<Options, 'place' | 'isPage' | 'only'>>,
    Partial<Pick<Question, 'moved' | 'totalsOver' | 'search' | 'isExact'>> {
  readonly range?: Range;
  readonly limit?: number;
  readonly offset?: number;
}

/** The statement of a part of an answer, with everything that it binds. */
export function buildStatement(query: Query, { pauses, ...about }: Parameters, part: Part = {}): Statement {
  const { place = 'adtrail', isPage = false, only, range = query, ...rest } = part;
  const { limit = query.limit, offset = query.offset, ...more } = rest;
  const { params, ...statement } = compile(
    SOURCES[query.source],
    {
      metrics: query.metrics,
      dimensions: query.dimensions,
      filters: query.filters,
      orderBy: query.orderBy,
      organic: query.include.includes('organic'),
      ...more,
      ...(more.totalsOver ? { dimensions: [], orderBy: [] } : {}),
    },
    {
      place,
      currency: about.currency,
      hasPauses: pauses.length > 0,
      isFirstTouch: query.model === 'first_touch',
      isPage,
      ...(only ? { only } : {}),
    },
  );
  return {
    ...statement,
    params: {
      ...about,
      ...(pauses.length > 0 ? pauseParams(pauses) : {}),
      ...(query.source === 'app' ? { view: query.view } : {}),
      from: storableDay(range.from),
      to: storableDay(range.to),
      limit,
      offset,
      ...params,
    },
  };
}
