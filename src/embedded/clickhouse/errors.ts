/** ClickHouse's errors: codes, HTTP statuses, and the engine's texts brought into the server's form. */
import { cutMessage } from '../../lib/clickhouse-message';

/** An error with ClickHouse's code and name; `message` is the bare text without either. */
export class ClickHouseException extends Error {
  constructor(
    readonly code: number,
    readonly type: string,
    message: string,
    /** Where the HTTP layer answers something else than the code's own status. */
    readonly httpStatus: number = statusOfCode(code),
  ) {
    super(message);
  }

  /** The text as the server sends it. */
  render(version: string): string {
    const text = withoutEnd(this.message).trimStart();
    return `Code: ${this.code}. DB::Exception: ${text}. (${this.type}) (version ${version})`;
  }
}

/** A text without points and blanks at its end. No pattern does this without trying every run of blanks anew. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

// Mirrors exceptionCodeToHTTPStatus of the server; numbers checked against errorCodeToName().
const STATUS_CODES: [status: number, codes: number[]][] = [
  [401, [194]],
  [403, [192, 193, 497, 512, 516]],
  [400, [6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441, 675, 676]],
  [404, [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511]],
  [408, [159]],
  [411, [381]],
  [413, [229]],
  [415, [779]],
  [501, [48]],
  [503, [76, 209, 439]],
];

function statusOfCode(code: number): number {
  return STATUS_CODES.find(([, codes]) => codes.includes(code))?.[0] ?? 500;
}

const OUTFILE = / ?INTO OUTFILE '(?:[^'\\]|\\.)*' APPEND/g;
const INFILE = / ?FROM INFILE '(?:[^'\\]|\\.)*'/g;

/** Turns what the engine threw into an error, without repeated prefixes and without our pipes and files. */
export function errorOfEngine(thrown: unknown): ClickHouseException {
  let text = withoutEnd(cutMessage(thrown instanceof Error ? thrown.message : String(thrown)));
  let code = 1001;
  let type = 'STD_EXCEPTION';
  // Each layer of the engine wraps the one below: "Code: 27. DB::Exception: Code: 27. DB::Exception: … (X) (version v).
  // (X)".
  for (
    let prefix = /^\s*Code: (\d+)\. DB::Exception: /.exec(text);
    prefix;
    prefix = /^\s*Code: (\d+)\. DB::Exception: /.exec(text)
  ) {
    code = Number(prefix[1]);
    text = text.slice(prefix[0].length);
  }
  const suffix = /\((?:([A-Z][A-Z0-9_]{2,})|version [^()]*(?:\([^()]*\))?)\)$/;
  for (let end = suffix.exec(text); end; end = suffix.exec(text)) {
    type = end[1] ?? type;
    text = withoutEnd(text.slice(0, end.index));
  }
  text = text
    .replace(OUTFILE, '')
    .replace(INFILE, '')
    .replace(/\(in file\/uri [^()]*\): ?/g, '')
    .replace(/: While executing File: data for INSERT was parsed from file/g, '')
    .replace(/data for INSERT was parsed from file/g, 'data for INSERT was parsed from query');
  return new ClickHouseException(code, type, text);
}

/** The same error with the server's hint, when a GET tried to change something. */
export function withGetHint(error: ClickHouseException): ClickHouseException {
  if (error.code !== 164 || !error.message.includes('Cannot execute query in readonly mode')) return error;
  const hint =
    'Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use ' +
    'method POST for modifying queries';
  return new ClickHouseException(164, 'READONLY', error.message.replace('Cannot execute query in readonly mode', hint));
}

/** Part of the sentence with which the engine's process refuses a folder that another one has. */
export const IN_USE = 'in use by another process';
