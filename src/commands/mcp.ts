/** `adtrail mcp`: the tools of a running service for an assistant that starts programs; a bridge from stdio to /mcp. */
import type { Command } from 'commander';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { readConfig } from '../config';
import { StartError } from '../errors';
import { serviceAt, URL_OPTION, type Env } from './target';

/** An answer for who cannot be answered by the service, as JSON-RPC has it. */
const INTERNAL_ERROR = -32603;

export function addMcp(program: Command, env: Env): void {
  program
    .command('mcp')
    .option('--key <key>', 'server key of the project; or SERVICE_KEY in the environment', env.SERVICE_KEY)
    .option(...URL_OPTION)
    .description('answer an assistant over stdin and stdout with the figures of a project (Model Context Protocol)')
    .action(async (options: { key?: string; url?: string }) => {
      if (!options.key) throw new StartError('There is no key: set SERVICE_KEY, or --key.');
      await bridge(new URL(`${serviceAt(readConfig(env), options)}/mcp`), options.key);
    });
}

/** Hands each message on, and its answer back, until stdin ends. */
async function bridge(url: URL, key: string): Promise<void> {
  const [{ StdioServerTransport }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  const assistant = new StdioServerTransport();
  const service = new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'service-key': key } } });
  const pending = new Set<Promise<void>>();
  const answer = (message: JSONRPCMessage) => {
    const { result } = message as { result?: { protocolVersion?: unknown } };
    if (typeof result?.protocolVersion === 'string') service.setProtocolVersion(result.protocolVersion);
    return assistant.send(message);
  };
  const handOn = async (message: JSONRPCMessage) => {
    try {
      await service.send(message);
    } catch (error) {
      if (!('id' in message) || !('method' in message)) return;
      const reason = error instanceof Error ? error.message : String(error);
      await assistant.send({ jsonrpc: '2.0', id: message.id, error: { code: INTERNAL_ERROR, message: reason } });
    }
  };
  service.onmessage = (message) => void answer(message);
  assistant.onmessage = (message) => {
    const done = handOn(message).finally(() => pending.delete(done));
    pending.add(done);
  };
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await service.start();
  await assistant.start();
  await ended;
  await Promise.all(pending);
  await service.close();
}
