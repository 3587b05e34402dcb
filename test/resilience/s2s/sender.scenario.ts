/** The kit for senders with a spool, killed on both sides at random moments: nothing is lost or counts twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSender } from '../../../clients/s2s/src/index';
import { fileSpool } from '../../../clients/s2s/src/spool';
import { readCsv, testWithData } from '../../support/shared-data';
import { rounds, seeded } from '../../support/soak';
import { eventually, root, temporaryFolder, type RunningService } from '../../support/service';
import { TOKEN } from '../../support/workspace/workspace';

const PROGRAM = path.join(root, 'test', 'support', 's2s', 'sender-process.mjs');

const CLICKS_FILE = 'talkingdata-clicks.csv';

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

  testWithData(CLICKS_FILE)(
    'real clicks through a spool, the service killed and restarted among them: each is stored, once, under its ID',
    async () => {
      const service = readService();
      const folder = temporaryFolder();
      const refused: unknown[] = [];
      const sender = createSender({
        url: service.url,
        token: TOKEN,
        store: fileSpool(folder, { maxRecords: 200 }),
        intervalMs: 50,
        onRefused: (...refusal) => void refused.push(refusal),
      });
      const clicks = readCsv<'ip' | 'os' | 'device' | 'channel'>(CLICKS_FILE).slice(0, rounds(4_000, 100_000));
      const kills = rounds(3, 20);
      const records = clicks.map(({ ip, os, device, channel }, i) => {
        const n = Number(ip);
        return {
          app_id: 'com.acme.shop',
          c: 'AbC123',
          tid: `real-${i}`,
          ip: `11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
          s2: channel,
          s3: `${device}/${os}`,
        };
      });
      const share = Math.ceil(records.length / kills);
      for (let round = 0; round < kills; round++) {
        let down: Promise<void> | undefined;
        for (const [i, record] of records.slice(round * share, (round + 1) * share).entries()) {
          expect(sender.click(record)).toBe(true);
          if (i === Math.floor(random() * share) || i === share >> 1)
            down ??= service.kill().then(() => service.restart());
          if (i % 20 === 0) await sleep(5);
        }
        await down;
      }
      expect(await sender.close(120_000)).toBe(0);
      expect([refused, sender.size]).toEqual([[], 0]);
      const select = "SELECT tid, click_id, ip, s2, s3 FROM analytics.clicks WHERE startsWith(tid, 'real-')";
      const rows = await eventually('all are stored', async () => {
        const found = await service.rows<{ tid: string; click_id: string; ip: string; s2: string; s3: string }>(select);
        return found.length >= records.length ? found : undefined;
      });
      const byTid = (a: { tid: string }, b: { tid: string }) => Number(a.tid.slice(5)) - Number(b.tid.slice(5));
      expect(rows.sort(byTid).map(({ tid, ip, s2, s3 }) => ({ tid, ip, s2, s3 }))).toEqual(
        records.map(({ tid, ip, s2, s3 }) => ({ tid, ip, s2, s3 })),
      );
      expect(new Set(rows.map(({ click_id: id }) => id)).size).toBe(records.length);
      // The same records by themselves have the same IDs.
      for (const { tid, click_id: id } of rows.filter((_, i) => i % Math.ceil(rows.length / 20) === 0)) {
        const answer = await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=${tid}&ip=203.0.113.7`, {
          headers: { 'X-Service-Token': TOKEN },
        });
        expect(await answer.json()).toMatchObject({ click_id: id });
      }
    },
    900_000,
  );
}
