/** The commands of postbacks: replay-postbacks, listen. */
import { InvalidArgumentError, type Command } from 'commander';
import { StartError } from '../errors';
import { isSigningSecret } from '../lib/secrets';
import { startListening, type ListenAnswer } from './listen';
import { replayPostbacks } from './replay-postbacks';
import { formatAddress, findByName, print, chooseTarget, URL_OPTION, wholeNumber, type Env } from './target';

export function addPostbacks(program: Command, env: Env): void {
  program
    .command('replay-postbacks')
    .requiredOption('--project <name or id>', 'the project whose postbacks and webhooks are sent once more')
    .option('--from <day>', 'first day on which the events were received, UTC')
    .option('--to <day>', 'last day, UTC')
    .option('--postback <id>', 'one message alone, instead of days')
    .option('--partner <name or id>', 'what this partner was told, alone')
    .option('--webhook <id>', 'what this webhook was sent, alone', wholeNumber)
    .option('--event <event>', 'install, ..., or event:<name>, alone')
    .option('--outcome <outcome>', 'what ended so, alone: sent, dead or dropped')
    .option('--install <id>', 'what was told of this install, alone')
    .option('--send', 'send them; without it nothing is sent, and only counted')
    .option(...URL_OPTION)
    .description('send postbacks and webhooks of a project once more, under their own IDs')
    .action(async (options: ReplayOptions) => {
      const target = chooseTarget(env, options);
      const project = await findByName(target, 'project', options.project);
      const partner = options.partner === undefined ? undefined : await findByName(target, 'partner', options.partner);
      const { from, to, postback, webhook, event, outcome, install, send = false } = options;
      const fields = {
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(postback !== undefined && { postback_id: postback }),
        ...(partner !== undefined && { partner_id: partner }),
        ...(webhook !== undefined && { webhook_id: webhook }),
        ...(event !== undefined && { event }),
        ...(outcome !== undefined && { outcome }),
        ...(install !== undefined && { install_id: install }),
      };
      const messages = await replayPostbacks(target, project, fields, send);
      print(send ? `sent once more: ${messages}\n` : `would send ${messages}; --send sends them\n`);
    });

  program
    .command('listen')
    .option('--port <number>', 'where to listen', readPort, 9_000)
    .option('--host <address>', 'at which address of this machine', '127.0.0.1')
    .option('--secret <secret>', 'secret of the webhook, whsec_...: its signatures are checked')
    .option('--answer <answer>', 'what requests are answered with: a status from 200 to 599, or hang', readAnswer, 200)
    .option('--every <number>', 'answer only every so many requests so, and the others with 200', wholeNumber, 1)
    .description('print postbacks and webhooks as they arrive; for who builds what receives them')
    .action(async (options: { port: number; host: string; secret?: string; answer: ListenAnswer; every: number }) => {
      const { secret, host } = options;
      if (secret !== undefined && !isSigningSecret(secret))
        throw new StartError('--secret takes whsec_ and Base64 of 24 to 64 bytes.');
      const write = (text: string) => void print(text);
      const listening = await startListening({ ...options, secret, write, now: () => Date.now() });
      write(`listening at ${formatAddress(host, listening.port)}; stop with Ctrl-C\n`);
      write(`A service sends here if it runs with OUTBOX_ALLOW_PRIVATE=127.0.0.1/32.\n\n`);
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      });
      await listening.close();
    });
}

interface ReplayOptions {
  readonly project: string;
  readonly from?: string;
  readonly to?: string;
  readonly postback?: string;
  readonly partner?: string;
  readonly webhook?: number;
  readonly event?: string;
  readonly outcome?: string;
  readonly install?: string;
  readonly send?: true;
  readonly url?: string;
}

/** @throws InvalidArgumentError for what cannot be answered with. */
function readAnswer(text: string): ListenAnswer {
  if (text === 'hang') return text;
  if (!/^[2-5]\d\d$/.test(text)) throw new InvalidArgumentError('takes a status from 200 to 599, or hang');
  return Number(text);
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('takes a port from 0 to 65535');
  return Number(text);
}
