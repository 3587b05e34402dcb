/**
 * This version on the data of each earlier one: reports say what they said then, and what comes is taken in. A fixture
 * is a backup of the demo's data, taken from the engines of that version while it was stopped, with what its reports
 * said (docs/operations.md, Upgrades).
 */
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { report } from '../../support/reports/app-report';
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import { adtrail } from '../../support/operations/command';
import {
  answered,
  CLICKHOUSE_PASSWORD,
  eventually,
  root,
  startService,
  temporaryFolder,
  type RunningService,
} from '../../support/service';

const fixtures = path.join(root, 'test', 'fixtures', 'upgrade');
const folder = temporaryFolder();
const started: RunningService[] = [];

interface Expected {
  readonly server_key: string;
  readonly from: string;
  readonly to: string;
  readonly app: readonly Json[];
  readonly web: readonly Json[];
}

afterAll(async () => {
  for (const service of started) await service.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Waits until decisions of an earlier version have the country of their install, `least` of them a known one. */
async function decisionsHaveCountries(service: RunningService, least = 1): Promise<void> {
  const number = await eventually('decisions have countries', async () => {
    const [counts] = await service.rows<{ known: number; missing: number }>(`
      SELECT count() AS known, countIf(decision.country != event.country) AS missing
      FROM (SELECT project_id, install_id, country FROM analytics.installs) AS decision
      INNER JOIN (
        SELECT project_id, install_id, argMax(country, version) AS country
        FROM adtrail.app_events FINAL
        WHERE type = 'install'
        GROUP BY project_id, install_id
        HAVING country != ''
      ) AS event ON decision.project_id = event.project_id AND decision.install_id = event.install_id`);
    return counts && Number(counts.missing) === 0 ? Number(counts.known) : undefined;
  });
  expect(number).toBeGreaterThanOrEqual(least);
}

/** The fields of a row that are expected, and no others. */
const alike = (rows: readonly Json[], expected: readonly Json[]) =>
  rows.map((row) => Object.fromEntries(Object.keys(expected[0] ?? {}).map((name) => [name, row[name]])));

/** Waits until journeys have what is known of their installs. */
async function journeysAreWhole(service: RunningService): Promise<void> {
  const number = await eventually('journeys have all columns', async () => {
    const [counts] = await service.rows<{ all: number; whole: number }>(`
      SELECT count() AS all, countIf(of_journey = (of_decision.1, of_decision.2, of_event.1, of_event.2, of_event.3))
        AS whole
      FROM (
        SELECT install_id, (app_id, rule, country, os_version, app_version) AS of_journey
        FROM adtrail.journeys FINAL
        WHERE kind = 'install'
      ) AS journey
      INNER JOIN (SELECT install_id, (app_id, rule) AS of_decision FROM adtrail.installs FINAL) AS decision
        ON journey.install_id = decision.install_id
      INNER JOIN (
        SELECT install_id,
          (country, JSONExtractString(device, 'os_version'), JSONExtractString(device, 'app_version')) AS of_event
        FROM adtrail.app_events FINAL
        WHERE type = 'install'
      ) AS event ON journey.install_id = event.install_id`);
    return counts && Number(counts.whole) === Number(counts.all) ? Number(counts.all) : undefined;
  });
  expect(number).toBeGreaterThan(0);
}

test.each(fs.readdirSync(fixtures))(
  'data of %s',
  async (version) => {
    const expected = JSON.parse(fs.readFileSync(path.join(fixtures, version, 'expected.json'), 'utf8')) as Expected;
    const backup = path.join(folder, version);
    fs.mkdirSync(backup);
    const unpacked = spawnSync('tar', ['-xzf', path.join(fixtures, version, 'backup.tar.gz'), '-C', backup]);
    expect(unpacked.status).toBe(0);
    const dataDir = path.join(folder, `data-${version}`);
    const restored = await adtrail(['restore', backup], { DATA_DIR: dataDir, BACKUP_DIR: backup, CLICKHOUSE_PASSWORD });
    expect({ code: restored.code, stderr: restored.stderr }).toEqual({ code: 0, stderr: '' });
    const service = await startService({ DATA_DIR: dataDir, LIMIT_REPORTING: 'off' });
    started.push(service);

    const { server_key: key, from, to } = expected;
    await eventually(
      'the app report says what it said',
      async () => {
        const { campaigns } = await report(service, key, { from, to, sort_field: 'installs', limit: '100' });
        return JSON.stringify(alike(campaigns, expected.app)) === JSON.stringify(expected.app) ? true : undefined;
      },
      40_000,
    ).catch(async () => {
      const { campaigns, body } = await report(service, key, { from, to, sort_field: 'installs', limit: '100' });
      expect(alike(campaigns, expected.app)).toEqual(expected.app);
      throw new Error(JSON.stringify(body));
    });
    const query = new URLSearchParams({ from, to, group_by: 'channel', limit: '100' });
    const answer = await answered(() =>
      service.request(`/api/v1/reporting/web-campaigns?${query.toString()}`, {
        headers: { 'service-key': key },
      }),
    );
    const { data } = (await answer.json()) as { data: { campaigns: Json[] } };
    expect(alike(data.campaigns, expected.web)).toEqual(expected.web);

    await journeysAreWhole(service);
    // No event of the demo of 0.2.0 has a country.
    await decisionsHaveCountries(service, version === '0.2.0' ? 0 : 1);
    // An old process beside this one derives journeys without the columns that it does not know.
    await service.clickhouse.command({
      query: `ALTER TABLE adtrail.journeys UPDATE layout = 0, rule = '', os_version = '' WHERE 1
        SETTINGS mutations_sync = 1`,
    });
    await service.stop();
    await service.restart();
    await journeysAreWhole(service);

    const [app] = await service.rows<{ app_id: string }>(
      "SELECT app_id FROM analytics.app_events WHERE platform = 'ANDROID' ORDER BY received_at LIMIT 1",
    );
    const install = crypto.randomUUID();
    const device = { gaid: install, ip: '8.8.8.8' };
    const event = appEvent('install', { event_id: install, install_id: install, ...device, app_id: app?.app_id });
    expect((await collectApp(service, [event], { 'service-key': key })).status).toBe(202);
    await eventually('a new install is decided', async () => {
      const rows = await service.rows(`SELECT 1 FROM analytics.installs WHERE install_id = '${install}'`);
      return rows.length > 0 ? true : undefined;
    });
    // An old process that decides beside this one leaves its country out.
    await service.clickhouse.command({
      query: `ALTER TABLE adtrail.installs UPDATE country = '' WHERE install_id = '${install}'
        SETTINGS mutations_sync = 1`,
    });
    await service.stop();
    await service.restart();
    await decisionsHaveCountries(service);
  },
  240_000,
);
