/** The kit for senders with a spool, killed on both sides at random moments: nothing is lost or counts twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSender } from '../../../clients/s2s/src/index';
import { fileSpool } from '../../../clients/s2s/src/spool';
import { rounds, seeded } from '../../support/soak';
import { eventually, root, temporaryFolder, type RunningService } from '../../support/service';
import { TOKEN } from '../../support/workspace/workspace';

const PROGRAM = path.join(root, 'test', 'support', 's2s', 'sender-process.mjs');

/** A sender in a process of its own; `taken` grows with each record that it took, and `refused` with each refusal. */
function startSender(url: string, folder: string, prefix: string) {
  const child = spawn(process.execPath, [PROGRAM, url, TOKEN, folder, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const taken: string[] = [];
  const refused: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) (line.startsWith('refused') ? refused : taken).push(line);
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { taken, refused, kill };
}

export function senderScenario(readService: () => RunningService): void {
  const random = seeded();

  test(`${rounds(2, 15)} rounds of kills of the sender and the service`, async () => {
    const service = readService();
    const folder = temporaryFolder();
    const taken: string[] = [];
    for (let round = 0; round < rounds(2, 15); round++) {
      const sender = startSender(service.url, folder, `kit${round}`);
      await eventually('records are taken', () => (sender.taken.length > 300 ? true : undefined), 30_000);
      await service.kill();
      await sleep(random() * 300);
      if (round % 2 === 0) await sender.kill();
      await service.restart();
      await sleep(random() * 500);
      if (round % 2 === 1) await sender.kill();
      expect(sender.refused).toEqual([]);
      taken.push(...sender.taken);
    }
    // The next process sends what the killed ones have left.
    const left = createSender({ url: service.url, token: TOKEN, store: fileSpool(folder) });
    expect(left.size).toBeGreaterThan(0);
    expect(await left.close(60_000)).toBe(0);
    let stored: string[] = [];
    const findMissing = async () => {
      const rows = await service.rows<{ tid: string }>(
        "SELECT tid FROM analytics.clicks WHERE match(tid, '^kit[0-9]+-')",
      );
      stored = rows.map(({ tid }) => tid);
      const tids = new Set(stored);
      return taken.filter((tid) => !tids.has(tid));
    };
    await eventually('all are stored', async () => ((await findMissing()).length === 0 ? true : undefined)).catch(
      async () => expect({ of: taken.length, missing: await findMissing() }).toMatchObject({ missing: [] }),
    );
    expect(new Set(stored).size).toBe(stored.length);
  });
}
