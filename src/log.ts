/** What the service says to its operator, one line each on standard error; never a secret, never a request's content. */

export type Log = (message: string) => void;

export const log: Log = (message) => {
  process.stderr.write(`${new Date().toISOString()} ${message.replace(/\s*\n\s*/g, ' | ')}\n`);
};

/** An error with its stack, for the operator only. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
