/** Connects to the tools of MCP by the client of the official SDK, and reads what they answer. */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json } from '../collect/collect-client';
import { root, type Service } from '../service';

export interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly notice: string; readonly untrusted: string[]; readonly data: Json };
}
export interface Connected {
  readonly client: Client;
  readonly call: (name: string, args: object) => Promise<Answer>;
}
async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as unknown as Answer,
  };
}
export const connectOverHttp = (service: Service, key: string) =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { 'service-key': key } },
    }),
  );
export const connectOverStdio = (service: Pick<Service, 'url'>, key: string) =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'dist', 'cli.js'), 'mcp', '--url', service.url],
      env: { SERVICE_KEY: key, PATH: process.env.PATH ?? '' },
    }),
  );
export const readData = ({ structuredContent, content }: Answer): Json => {
  if (!structuredContent) throw new Error(content[0]?.text);
  return structuredContent.data;
};

/** The sum of decimal texts, of up to 18 decimals. */
export const sum = (texts: readonly string[]): bigint =>
  texts.reduce((all, text) => {
    const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    const units = BigInt(`${whole}${part.padEnd(18, '0')}`);
    return all + (sign === '' ? units : -units);
  }, 0n);
