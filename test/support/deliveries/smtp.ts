/** An SMTP server that keeps the mails that it gets, or answers what it is told. */
import { SMTPServer } from 'smtp-server';
import { eventually, freePort } from '../service';

export interface Mail {
  readonly to: string;
  /** Headers and bodies as they came, soft line breaks undone. */
  readonly raw: string;
  /** A header, unfolded; undefined where there is none. */
  header(name: string): string | undefined;
}

export interface SmtpReceiver {
  readonly url: string;
  readonly mails: readonly Mail[];
  /** What the next recipients are refused with; null to take them. */
  refuseWith(code: number | null): void;
  /** Mails to an address so far. */
  to(address: string): Mail[];
  waitFor(address: string, count?: number): Promise<Mail[]>;
  close(): Promise<void>;
}

export async function startSmtp(): Promise<SmtpReceiver> {
  const port = await freePort();
  const mails: Mail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      done(refusal === null ? null : Object.assign(new Error('Not taken'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        const raw = text.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
        const [head = ''] = text.split(/\r?\n\r?\n/);
        const unfolded = head.replace(/\r?\n[ \t]+/g, ' ');
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          raw,
          header: (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trim(),
        });
        done();
      });
    },
  });
  server.listen(port, '127.0.0.1');
  const to = (address: string) => mails.filter((mail) => mail.to === address);
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (code) => (refusal = code),
    to,
    waitFor: (address, count = 1) =>
      eventually(`${count} mails to ${address}`, () => (to(address).length >= count ? to(address) : undefined)),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
