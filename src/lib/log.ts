/** What the service says to its operator, on standard error; never a secret, never the content of a request. */
import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { currentContext } from './context';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const STDERR = 2;

/** One JSON object per line, with the IDs of its request and trace; on a terminal, text for people. */
export function createLog(level: LogLevel, destination: DestinationStream = standardError()): Log {
  const options = {
    level,
    base: { pid: process.pid },
    mixin,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  return pino(options, destination);
}

/** What a line is of; undefined fields are left out. */
function mixin() {
  const { requestId, traceId } = currentContext();
  return { requestId, traceId };
}

const standardError = (): DestinationStream =>
  process.stderr.isTTY
    ? pretty({ destination: STDERR, sync: true, ignore: 'pid', translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l' })
    : pino.destination({ dest: STDERR, sync: true });

/** Nothing but the error itself: other fields of it can hold values of a request. */
const serializeError = (error: unknown) =>
  error instanceof Error
    ? { type: error.name, message: error.message, stack: error.stack }
    : { type: typeof error, message: String(error) };

/** An error with its stack, for the operator only. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
