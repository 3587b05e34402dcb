import { ApiError } from '../../../src/errors';

/** The status and text of the error with which `work` is refused. */
export function refusal(work: () => unknown): [status: number, message: string] {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.message];
    throw error;
  }
  throw new Error('Nothing was refused');
}
