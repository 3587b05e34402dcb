/** Who may run a statement: few at a time in a process, and fewer of one project. */
import { ApiError } from '../errors';

const MAX_RUNNING = 4;
const MAX_OF_PROJECT = 2;

export class Turns {
  private readonly running = new Map<number, number>();

  /** @throws ApiError 503 at once where too many run: nobody waits for a minute of others. */
  async take<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    const own = this.running.get(projectId) ?? 0;
    const all = [...this.running.values()].reduce((sum, one) => sum + one, 0);
    if (own >= MAX_OF_PROJECT || all >= MAX_RUNNING)
      throw new ApiError(503, 'Too many statements are running. Please try again later.', { 'Retry-After': '5' });
    this.running.set(projectId, own + 1);
    try {
      return await work();
    } finally {
      const left = (this.running.get(projectId) ?? 1) - 1;
      if (left > 0) this.running.set(projectId, left);
      else this.running.delete(projectId);
    }
  }
}
