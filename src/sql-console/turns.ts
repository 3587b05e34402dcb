/** Who may run a statement: few at a time in a process, and fewer of one project. */
import { ApiError } from '../errors';

const MAX_RUNNING = 4;
const MAX_OF_PROJECT = 2;

export class Turns {
  private readonly running = new Map<number, number>();

  /** `observe` is called for every statement, for metrics. */
  constructor(private readonly observe: (outcome: 'done' | 'failed' | 'busy', seconds: number) => void) {}

  /** @throws ApiError 503 at once where too many run: nobody waits for a minute of others. */
  async take<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const observe = (outcome: 'done' | 'failed' | 'busy') =>
      this.observe(outcome, (performance.now() - started) / 1000);
    const own = this.running.get(projectId) ?? 0;
    const all = [...this.running.values()].reduce((sum, one) => sum + one, 0);
    if (own >= MAX_OF_PROJECT || all >= MAX_RUNNING) {
      observe('busy');
      throw new ApiError(503, 'Too many statements are running. Please try again later.', { 'Retry-After': '5' });
    }
    this.running.set(projectId, own + 1);
    try {
      const answer = await work();
      observe('done');
      return answer;
    } catch (error) {
      observe('failed');
      throw error;
    } finally {
      const left = (this.running.get(projectId) ?? 1) - 1;
      if (left > 0) this.running.set(projectId, left);
      else this.running.delete(projectId);
    }
  }
}
