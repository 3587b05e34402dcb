/** A DNS server on a free port of this machine, which knows the records that a test gives it. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 5: 'CNAME', 16: 'TXT', 28: 'AAAA' };
const NO_SUCH_NAME = 3;

export interface DnsServer {
  readonly address: string;
  /** By name and type, for example `go.acme.example TXT`. */
  readonly records: Map<string, string[]>;
  close(): void;
}

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    const found = records.get(`${name} ${TYPES[type]}`) ?? [];
    const answer = Buffer.from(query.subarray(0, end + 4));
    const isKnown = [...records.keys()].some((key) => key.startsWith(`${name} `));
    answer.writeUInt16BE(0x8580 | (isKnown ? 0 : NO_SUCH_NAME), 2);
    answer.writeUInt16BE(found.length, 6);
    answer.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([answer, ...found.map((value) => encode(type, value))]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, records, close: () => socket.close() };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

const withLength = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const readData = (type: number, value: string): Buffer => {
  if (TYPES[type] === 'A') return Buffer.from(value.split('.').map(Number));
  if (TYPES[type] === 'CNAME') return Buffer.concat([...value.split('.').map(withLength), Buffer.from([0])]);
  return withLength(value);
};

function encode(type: number, value: string): Buffer {
  const data = readData(type, value);
  // A pointer to the name that was asked for, its type, the class IN, no time to live, and the data.
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
