/** How often an alert would have fired: the same judgement, as of each of the last thirty days. */
import { addDays, dayIn } from '../lib/time';
import { isOnFigures, type Condition } from './condition';
import { findTransitions } from './judge';
import { judgeDay, type JudgeParts } from './judging';
import type { Metric } from './model';

const DAYS = 30;
/** Longer than this nobody waits: what is not judged by then is left out. */
const MOST_MS = 15_000;

export interface PreviewDay {
  readonly day: string;
  readonly state: 'breach' | 'fine' | 'not_judged';
  readonly figure: number | null;
  readonly expected: number | null;
}

/** Oldest first. Nothing for a condition on what is received. */
export async function previewAlert(
  parts: JudgeParts,
  { projectId, timezone }: { readonly projectId: number; readonly timezone: string },
  condition: Condition,
  question: unknown,
): Promise<{ days: PreviewDay[]; fired: number; metric?: Metric }> {
  if (!isOnFigures(condition)) return { days: [], fired: 0 };
  const started = parts.now();
  const lastDay = addDays(dayIn(timezone, started), -1);
  const days: PreviewDay[] = [];
  const breached = new Set<string>();
  let fired = 0;
  let metric: Metric | undefined;
  for (let back = DAYS - 1; back >= 0 && parts.now() - started < MOST_MS; back -= 1) {
    const day = addDays(lastDay, -back);
    const alert = { project_id: projectId, condition, question, breached: [...breached] };
    const judgement = await judgeDay(parts, alert, condition, day);
    if (judgement.state === 'waiting') continue;
    metric = judgement.metric;
    const { fired: begun, over } = findTransitions(judgement.points, breached);
    if (begun.length > 0) fired += 1;
    for (const { value } of begun) breached.add(value);
    for (const { value } of over) breached.delete(value);
    days.push(summarizeDay(day, judgement.points));
  }
  return { days, fired, ...(metric ? { metric } : {}) };
}

function summarizeDay(day: string, points: Parameters<typeof findTransitions>[0]): PreviewDay {
  const states = points.map(({ verdict }) => verdict.state);
  const state = states.includes('breach') ? 'breach' : states.includes('fine') ? 'fine' : 'not_judged';
  const [only] = points.length === 1 ? points : [];
  const verdict = only?.verdict;
  const expected = verdict && verdict.state !== 'not_judged' ? verdict.expected : null;
  return { day, state, figure: only?.figure ?? null, expected };
}
