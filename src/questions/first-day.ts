/** Since when a project has data: before it, nothing can be compared. */
import { ask, type AskParts } from './ask';
import type { Question } from './question';

/** What tells of a day that something was there. */
const TRACES = { app: ['installs', 'clicks', 'spend'], web: ['page_views'] } as const;
const SOURCES = ['app', 'web'] as const;

/** The first day with installs, clicks or spend, or else visits; null where there is nothing. */
export async function findFirstDay(parts: AskParts, projectId: number): Promise<string | null> {
  for (const source of SOURCES) {
    const question: Question = {
      source,
      metrics: [...TRACES[source]],
      dimensions: ['day'],
      range: 'all_time',
      order_by: [['day', 'asc']],
      limit: 1,
    };
    const { results } = await ask(parts, projectId, question);
    const day = results[0]?.dimensions[0];
    if (day !== undefined) return day;
  }
  return null;
}
