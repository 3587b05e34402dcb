/** Whether this process can do its work: checks of what its roles need, asked at most once a second. */

import { setTimeout as sleep } from 'node:timers/promises';

/** What a check found out; `ok` decides, the rest is for people. */
export interface CheckResult {
  readonly ok: boolean;
  readonly [detail: string]: boolean | number | string | null;
}

export interface Check {
  readonly name: string;
  /** Whether the roles of this process need it; the result of another is shown, and decides nothing. */
  readonly required: boolean;
  /** Whether a failure needs an operator although the process keeps working. */
  readonly warns?: boolean;
  /** One that throws, or does not answer within two seconds, has failed. */
  run(): Promise<CheckResult> | CheckResult;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult & { readonly required: boolean; readonly warns?: boolean }>>;
}

/** How long an answer holds. */
const FRESH_MS = 1_000;
/** How long a check may take: two seconds. */
const TICKS = 20;
const TICK_MS = 100;
const FAILED: CheckResult = { ok: false };

/**
 * A function that answers by its checks. Those who ask at once share one run, and a check that hangs is not asked again
 * until it has ended.
 */
export function createReadiness(checks: readonly Check[], now: () => number): () => Promise<Readiness> {
  const once = checks.map((check) => ({ ...check, run: shared(check) }));
  let asked = -Infinity;
  let answer: Promise<Readiness> | undefined;
  return () => {
    if (answer && now() - asked < FRESH_MS) return answer;
    asked = now();
    answer = runAll(once);
    return answer;
  };
}

interface Shared extends Omit<Check, 'run'> {
  readonly run: () => Promise<CheckResult>;
}

async function runAll(checks: readonly Shared[]) {
  const results = await Promise.all(
    checks.map(
      async ({ name, required, warns, run }) =>
        [name, { required, ...(warns ? { warns } : {}), ...(await inTime(run())) }] as const,
    ),
  );
  return {
    ready: results.every(([, { ok, required }]) => ok || !required),
    checks: Object.fromEntries(results),
  };
}

/** The check's run under way, or else another. */
function shared(check: Check): () => Promise<CheckResult> {
  let running: Promise<CheckResult> | undefined;
  return () => {
    running ??= Promise.resolve()
      .then(() => check.run())
      .catch(() => FAILED)
      .finally(() => (running = undefined));
    return running;
  };
}

/** The time is taken in ticks, so that it does not run while this process itself is busy: then nobody is late. */
async function inTime(result: Promise<CheckResult>): Promise<CheckResult> {
  let answered = false;
  const late = (async () => {
    for (let tick = 0; tick < TICKS && !answered; tick++) await sleep(TICK_MS, undefined, { ref: false });
    return FAILED;
  })();
  return Promise.race([result, late]).finally(() => (answered = true));
}
