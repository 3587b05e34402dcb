/** Real ad clicks and the installs that came of them: every install is credited as an independent count says. */
import fs from 'node:fs';
import path from 'node:path';
import { decided, type Decided } from '../../support/attribution/attribution';
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { finishImport, startImport } from '../../support/s2s/import';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { temporaryFolder } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { readCsv, testWithData } from '../../support/shared-data';

const service = sharedService();
const own = ownNames('attribution-replay');
const FILE = 'talkingdata-clicks.csv';
const DAY = 86_400_000;

interface Click {
  readonly tid: string;
  readonly ip: string;
  readonly channel: string;
  readonly time: number;
  readonly installed: number | undefined;
}

/** `2017-11-07 9:30` in UTC: minutes are the finest unit of the file. */
function minute(text: string): number {
  const [, day, hour = '', rest] = /^(\S+) (\d+):(\d+)/.exec(text) as RegExpExecArray;
  return Date.parse(`${day}T${hour.padStart(2, '0')}:${rest}:00Z`);
}

/** The file numbers addresses: each number becomes a public address of its own. */
const address = (n: number) => `11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

const readClicks = (): Click[] =>
  readCsv<'ip' | 'channel' | 'click_time' | 'attributed_time'>(FILE).map((row, i) => ({
    tid: `td-${i}`,
    ip: address(Number(row.ip)),
    channel: row.channel,
    time: minute(row.click_time),
    installed: row.attributed_time ? minute(row.attributed_time) : undefined,
  }));

/**
 * The click that an install must be credited with: the latest of its address in the 24 hours before it, by greater ID
 * where several are.
 */
function expectedClick(clicks: readonly Click[], ids: ReadonlyMap<string, string>, time: number): Click | undefined {
  const eligible = clicks.filter((click) => click.time <= time && time - click.time <= DAY);
  const findId = (click: Click) => ids.get(click.tid) as string;
  return eligible.reduce<Click | undefined>(
    (best, click) =>
      !best || click.time > best.time || (click.time === best.time && findId(click) > findId(best)) ? click : best,
    undefined,
  );
}

testWithData(FILE)(
  '227 installs among 100,000 clicks',
  async () => {
    const folder = temporaryFolder();
    try {
      const clicks = readClicks();
      const channels = [...new Set(clicks.map(({ channel }) => channel))];
      await service.apply(
        own.document({
          accounts: [{ name: 'TalkingData' }],
          partners: [{ name: 'Mobi Ads' }],
          projects: [
            {
              name: 'Replay',
              account: 'TalkingData',
              timezone: 'Asia/Shanghai',
              server_keys: ['key'],
              apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
              campaigns: channels.map((channel) => ({
                display_id: `channel-${channel}`,
                name: channel,
                partner: 'Mobi Ads',
              })),
            },
          ],
        }),
      );
      const file = path.join(folder, 'clicks.csv');
      fs.writeFileSync(
        file,
        [
          'c,tid,click_time,ip',
          ...clicks.map(({ tid, ip, channel, time }) => `channel-${channel},${tid},${time},${ip}`),
        ].join('\n'),
      );
      expect(
        await finishImport(startImport(['clicks', file, '--project', own('Replay'), '--url', service.url])),
      ).toEqual({
        code: 0,
        stdout: '100000 rows accepted, 0 rejected\n',
        stderr: '',
      });

      const installs = clicks.flatMap(({ tid, ip, installed }) =>
        installed === undefined ? [] : [{ install_id: `install-of-${tid}`, ip, time: installed }],
      );
      expect(installs).toHaveLength(227);
      const { accepted } = await collectApp(
        service,
        installs.map(({ install_id, ip, time }) =>
          appEvent('install', { install_id, ip, time: new Date(time).toISOString() }),
        ),
        { 'service-key': own('key') },
      );
      expect(accepted).toBe(227);
      const decisions = await decided(
        service,
        installs.map(({ install_id }) => install_id),
        30_000,
      );

      const project = await idByName(service, 'projects', own('Replay'));
      const ids = new Map(
        (
          await service.rows<{ tid: string; click_id: string }>(
            `SELECT tid, click_id FROM analytics.clicks WHERE project_id = ${project}`,
          )
        ).map(({ tid, click_id }) => [tid, click_id]),
      );
      expect(ids.size).toBe(100_000);
      const ofAddress = new Map<string, Click[]>();
      for (const click of clicks) ofAddress.set(click.ip, [...(ofAddress.get(click.ip) ?? []), click]);
      let contested = 0;
      for (const { install_id, ip, time } of installs) {
        const candidates = ofAddress.get(ip) ?? [];
        const click = expectedClick(candidates, ids, time);
        if (candidates.length > 1) contested += 1;
        const { rule, touch_id, campaign_name, touch_to_install_ms } = decisions.get(install_id) as Decided;
        const wanted = click
          ? {
              rule: 'ip_click',
              touch_id: ids.get(click.tid),
              campaign_name: click.channel,
              touch_to_install_ms: time - click.time,
            }
          : { rule: 'organic', touch_id: null, campaign_name: '', touch_to_install_ms: null };
        expect({ install_id, rule, touch_id, campaign_name, touch_to_install_ms }).toEqual({ install_id, ...wanted });
      }
      // Else the file would show little.
      expect(contested).toBeGreaterThan(50);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  },
  540_000,
);
