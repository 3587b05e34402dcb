/** Named pipes through which the engine hands over results as it produces them. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const WRITE = constants.O_WRONLY | constants.O_NONBLOCK;

/** Creates `count` pipes in `folder`, readable for this user only. */
export function createPipes(folder: string, count: number): string[] {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `output-${index}`));
  execFileSync('mkfifo', ['-m', '600', ...paths]);
  return paths;
}

/** Takes a chunk; resolves once more may come. False means that nobody wants the rest. */
export type ChunkSink = (chunk: Buffer) => Promise<boolean>;

/**
 * Reads what `produce` writes into the pipe until it is done and all was read. Rejects as `produce` does.
 * The pipe may be used again only afterwards.
 */
export async function readThrough<Result>(
  path: string,
  produce: () => Promise<Result>,
  sink: ChunkSink,
): Promise<Result> {
  // Held until the end: an engine that opens the pipe again (it does after some failures) must find a reader, or it
  // blocks for good.
  const anchor = openSync(path, READ);
  let anchored = true;
  const release = () => {
    if (anchored) closeSync(anchor);
    anchored = false;
  };
  const socket = new Socket({ fd: openSync(path, READ), readable: true, writable: false });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  try {
    const producing = produce().finally(() => endPipe(path));
    const reading = consume(socket, sink).then(
      (isLeft) => {
        // Nobody wants the rest: without any reader the engine runs to its end twice as fast.
        if (isLeft) release();
      },
      (error: unknown) => {
        // With a reader that does not read, the engine would wait for ever.
        release();
        throw error;
      },
    );
    const [outcome, read] = await Promise.allSettled([producing, reading]);
    // An engine that nobody reads fails too, but for that reason alone.
    if (read.status === 'rejected') throw read.reason;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  } finally {
    socket.destroy();
    // Whatever is left in a pipe vanishes when its last descriptor closes; the next query must not read it.
    await closed;
    release();
  }
}

/** True if the sink gave up; leaving the loop closes the socket. */
async function consume(socket: Socket, sink: ChunkSink): Promise<boolean> {
  for await (const chunk of socket) if (!(await sink(chunk as Buffer))) return true;
  return false;
}

/** A query that wrote nothing never opened the pipe, so its reader would wait for ever: open and close it once. */
function endPipe(path: string): void {
  try {
    closeSync(openSync(path, WRITE));
  } catch (error) {
    // ENXIO: the reader is gone already, which is as good.
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
  }
}
