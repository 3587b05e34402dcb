/** `adtrail demo`: fills a running service with 60 days of traffic and prints what its reports make of them. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectClickHouse } from '../db/clickhouse';
import { readQuery } from '../db/sql';
import { applyDocument, demoToken, demoWorkspace, readerPasswordText, type ReaderPassword } from './first-start';
import { secretFile } from '../embedded/secret-file';
import { withAdminToken } from '../lib/ask-service';
import { newSecret } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { DAYS } from './calendar';
import { fill, send, type Target } from './fill';
import { appTable, retentionCurve, webTable, type AppRow, type WebRow } from './print';
import { showProgress } from './progress';
import { simulate, type SimulationOptions, type Traffic } from './simulator';
import { trafficWorkspace } from './workspace';

export interface DemoOptions {
  /** Address of the service, without a path. */
  readonly service: string;
  readonly dataDir: string;
  readonly adminToken: string;
  readonly clickhouseUrl: string;
  readonly clickhousePassword: string | undefined;
  readonly readerPassword: ReaderPassword;
  /** Approximate number of installs; ignored if the folder already has traffic. */
  readonly installs: number;
}

const SEED = 20260301;
/** Campaigns in the table. */
const SHOWN = 5;
/** Reports are up to date within seconds; on a very busy machine it may take longer. */
const DERIVED_WITHIN_MS = 300_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** @throws Error when the service refuses the traffic or does not report it. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { service, dataDir, adminToken } = options;
  const keyFile = path.join(dataDir, 'demo-server-key');
  const target = {
    url: service,
    serverKey: secretFile(keyFile, () => newSecret('server_key')),
    partnerToken: demoToken(dataDir),
  };
  const { isNew, ...simulation } = planSimulation(options);
  say(`\nadtrail demo, in ${dataDir} (delete the folder to start afresh)\n`);
  say(
    isNew
      ? `Sending ${DAYS} days of simulated traffic:`
      : 'Sending the traffic of this folder again; what is stored already changes nothing:',
  );
  await applyDocument(
    service,
    adminToken,
    trafficWorkspace(demoWorkspace(target.partnerToken), target.serverKey, simulation.until),
  );
  const traffic = simulate(simulation);
  await fill(target, traffic, showProgress(), Date.now());
  await untilDerived(options, traffic);
  await printReports(target, keyFile, new Date(simulation.until - DAYS * DAY_MS).toISOString().slice(0, 10));
  const { place } = readerPasswordText(options.readerPassword);
  say(`Everything as tables, in ClickHouse (user reader, its password in ${place}):\n`);
  say(sqlExample(options));
}

/** How to ask ClickHouse itself. */
function sqlExample({ clickhouseUrl, readerPassword }: DemoOptions): string {
  const query = 'SELECT campaign_name, count() AS installs FROM installs GROUP BY ALL ORDER BY installs DESC';
  const { shell } = readerPasswordText(readerPassword);
  return `  curl -u "reader:${shell}" "${clickhouseUrl}/?default_format=PrettyCompact" -d '${query}'\n`;
}

/** What the traffic of the folder is made of, kept so that a later run makes the same. */
function planSimulation({ dataDir, installs }: DemoOptions): SimulationOptions & { isNew: boolean } {
  let isNew = false;
  const kept = secretFile(path.join(dataDir, 'demo-traffic.json'), () => {
    isNew = true;
    return JSON.stringify({ seed: SEED, until: Date.now(), installs });
  });
  return { ...(JSON.parse(kept) as SimulationOptions), isNew };
}

/** Waits until every event is stored, and the app report shows every install with everything that it did. */
async function untilDerived(
  { service, adminToken, clickhouseUrl, clickhousePassword }: DemoOptions,
  { appEvents, webEvents }: Traffic,
): Promise<void> {
  const { projects } = (await send(`${service}/admin/v1/projects`, { headers: withAdminToken(adminToken) })) as {
    projects: { id: number; name: string }[];
  };
  const project = projects.find(({ name }) => name === demoWorkspace('').projects[0]?.name)?.id;
  const clickhouse = connectClickHouse(clickhouseUrl, clickhousePassword);
  const giveUp = Date.now() + DERIVED_WITHIN_MS;
  try {
    const of = { project, events: appEvents.length + webEvents.length };
    const text = readQuery('clickhouse', 'demo.underived');
    for (;;) {
      const [left] = await clickhouse.rows<{ unstored: number; installs: number }>(text, of);
      if (left && left.unstored <= 0 && left.installs === 0) return;
      if (Date.now() > giveUp) throw new Error('The installs are not attributed and derived yet; run the demo again.');
      await sleep(500);
    }
  } finally {
    await clickhouse.close();
  }
}

async function printReports({ url, serverKey }: Target, keyFile: string, from: string): Promise<void> {
  const ask = async <Row>(address: string) =>
    ((await send(address, { headers: { 'service-key': serverKey } })) as { data: { campaigns: Row[] } }).data.campaigns;
  const curl = (address: string) => `  curl -H "service-key: $(cat '${keyFile}')" '${address}'\n`;
  const app = `${url}/api/v1/reporting/campaigns?from=${from}&sort_field=installs&limit=${SHOWN}`;
  const web = `${url}/api/v1/reporting/web-campaigns?from=${from}&group_by=channel&limit=100`;
  const campaigns = await ask<AppRow>(app);
  say(`\nThe biggest campaigns since ${from}:\n\n${appTable(campaigns)}\n`);
  if (campaigns[0])
    say(
      `Users of ${campaigns[0].name} who are active on the Nth day after their ` +
        `install:\n\n${retentionCurve(campaigns[0])}\n`,
    );
  say(curl(app));
  say(`Visitors of the website by channel:\n\n${webTable(await ask<WebRow>(web))}\n`);
  say(curl(web));
}
