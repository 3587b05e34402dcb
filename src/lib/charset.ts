/** Text from bytes, by the charset that its sender names. Bytes that are none of the charset are never replaced. */
import iconv from 'iconv-lite';
import { Slice } from './slices';

/** A charset that nobody here reads. */
export class UnknownCharset extends Error {}
/** Bytes that are no text of their charset. */
export class WrongBytes extends Error {}

/** Turns bytes into text, part by part; `end` throws too, where a character has broken off. */
export interface Decoder {
  /** The charset that is read: the one that a byte order mark says, else the one that was named. */
  readonly charset: string;
  /** @throws WrongBytes */
  write(bytes: Uint8Array): string;
  /** @throws WrongBytes */
  end(): string;
}

export const DEFAULT_CHARSET = 'utf-8';
/** How many bytes are decoded before others may run. */
const SLICE = 256 * 1024;

const MARKS: readonly (readonly [charset: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Charsets of MS-DOS, in which Excel still saves, and strict ASCII: labels that the Encoding Standard lacks. */
const OTHER_LABELS = /^(?:(?:us-)?ascii|(?:cp|ibm)(?:437|850|852|857|858|860))$/;
/** What stands for bytes that are no text. */
const REPLACEMENT = '\ufffd';

/**
 * A decoder for a text that begins with `start`. Labels are those of the Encoding Standard; a byte order mark, which is
 * taken off, says more than a label.
 *
 * @throws UnknownCharset
 */
export function createDecoder(label: string, start: Uint8Array): Decoder {
  const [marked] = MARKS.find(([, mark]) => mark.every((byte, i) => start[i] === byte)) ?? [];
  const charset = marked ?? findCharset(label);
  return charset.startsWith('utf-') ? unicodeDecoder(charset) : legacyDecoder(charset);
}

/** The text of a whole body or file, decoded in slices. @throws UnknownCharset, WrongBytes */
export async function decodeText(bytes: Uint8Array, label: string): Promise<string> {
  const decoder = createDecoder(label, bytes);
  const parts: string[] = [];
  const slice = new Slice();
  for (let at = 0; at < bytes.length; at += SLICE) {
    parts.push(decoder.write(bytes.subarray(at, at + SLICE)));
    await slice.rest();
  }
  return parts.join('') + decoder.end();
}

function findCharset(label: string): string {
  const name = label.toLowerCase();
  const charset = OTHER_LABELS.test(name) ? name : findStandardCharset(name);
  if (charset === undefined || !(charset.startsWith('utf-') || iconv.encodingExists(charset)))
    throw new UnknownCharset(label);
  return charset;
}

function findStandardCharset(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function unicodeDecoder(charset: string): Decoder {
  const decoder = new TextDecoder(charset, { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new WrongBytes(charset);
    }
  };
  return { charset, write: decode, end: () => decode() };
}

/** Node's own decoder takes windows-1252 for ISO 8859-1 in some versions. */
function legacyDecoder(charset: string): Decoder {
  const decoder = iconv.getDecoder(charset);
  const checked = (text = '') => {
    if (text.includes(REPLACEMENT)) throw new WrongBytes(charset);
    return text;
  };
  return {
    charset,
    write: (bytes) => checked(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    end: () => checked(decoder.end()),
  };
}
