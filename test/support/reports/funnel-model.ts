/**
 * Funnels in plain loops, written from docs/contract/queries.md: every attempt of every install is followed, and the
 * one that counts is chosen.
 */

export interface ModelEvent {
  readonly install: string;
  /** In milliseconds. */
  readonly time: number;
  readonly type: string;
  readonly name: string;
  /** The day in the project's zone. */
  readonly day: string;
}

export interface ModelFunnel {
  readonly steps: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly order: 'open' | 'strict';
  readonly window_seconds: number;
}

const isStep = (event: ModelEvent, step: string) =>
  step.startsWith('event:') ? event.type === 'event' && `event:${event.name}` === step : event.type === step;

/** The times of the steps of the attempt that counts; empty where none began. */
function followInstall(events: readonly ModelEvent[], funnel: ModelFunnel): number[] {
  const rank = (event: ModelEvent) => {
    const at = funnel.steps.findIndex((step) => isStep(event, step));
    return at < 0 ? funnel.steps.length : at;
  };
  const ordered = [...events]
    .filter((event) => funnel.order === 'strict' || rank(event) < funnel.steps.length)
    .sort((a, b) => a.time - b.time || rank(a) - rank(b));
  const attempts: { begin: number; end: number; times: number[] }[] = [];
  ordered.forEach((first, begin) => {
    if (!isStep(first, funnel.steps[0] as string) || first.day < funnel.from || first.day > funnel.to) return;
    const attempt = { begin, end: begin, times: [first.time] };
    for (const step of funnel.steps.slice(1)) {
      const next = ordered.findIndex((event, at) =>
        funnel.order === 'strict'
          ? at === attempt.end + 1 && isStep(event, step)
          : at > attempt.end && isStep(event, step),
      );
      const time = ordered[next]?.time;
      if (time === undefined || time > first.time + funnel.window_seconds * 1000) break;
      attempt.end = next;
      attempt.times.push(time);
    }
    attempts.push(attempt);
  });
  attempts.sort((a, b) => b.times.length - a.times.length || a.end - b.end || b.begin - a.begin);
  return attempts[0]?.times ?? [];
}

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100);

/** The steps of a row: those of the installs in it. */
export function modelFunnel(histories: readonly (readonly ModelEvent[])[], funnel: ModelFunnel) {
  const reached = histories.map((events) => followInstall(events, funnel));
  const counts = funnel.steps.map((_, at) => reached.filter((times) => times.length > at).length);
  return funnel.steps.map((_, at) => {
    const gaps = reached
      .filter((times) => at > 0 && times.length > at)
      .map((times) => (times[at] as number) - (times[at - 1] as number))
      .sort((a, b) => a - b);
    return {
      installs: counts[at],
      conversion: percent(counts[at] as number, counts[0] as number),
      conversion_from_previous: percent(counts[at] as number, counts[Math.max(0, at - 1)] as number),
      median_seconds: gaps.length === 0 ? null : (gaps[Math.floor((gaps.length - 1) / 2)] as number) / 1000,
      average_seconds:
        gaps.length === 0 ? null : Math.round(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length) / 1000,
    };
  });
}
