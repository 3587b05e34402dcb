/** What so much traffic needs, from what was measured (`adtrail plan`). */
import { ASSUMED, MEASURED } from './measured';

export interface Traffic {
  readonly clicksPerDay: number;
  readonly installsPerDay: number;
  readonly eventsPerDay: number;
  /** How long records are kept. */
  readonly days: number;
}

export interface Plan {
  readonly traffic: Traffic;
  readonly peakClicks: number;
  readonly peakInstalls: number;
  readonly serviceCores: number;
  readonly clickhouseCores: number;
  readonly workers: number;
  readonly serviceMemoryGb: number;
  readonly clickhouseMemoryGb: number;
  readonly clickhouseDiskGb: number;
  readonly logGb: number;
  readonly postgresMemoryGb: number;
  readonly redis: boolean;
  /** 0: everything on one machine. */
  readonly shards: number;
  readonly firstKnob: string;
}

const DAY_SECONDS = 86_400;
const GB = 1e9;
const MICROS = 1e6;
/** The default of INGEST_LOG_MAX_MB, in GB. */
const LOG_DEFAULT_GB = 10.24;

/** Installs and events in proportion to the clicks, where they are not said: 1 % and 20 %. A year is kept. */
export function completeTraffic(given: Partial<Traffic> & Pick<Traffic, 'clicksPerDay'>): Traffic {
  const { clicksPerDay, installsPerDay = Math.round(clicksPerDay / 100), days = 365 } = given;
  return { clicksPerDay, installsPerDay, eventsPerDay: given.eventsPerDay ?? Math.round(clicksPerDay / 5), days };
}

/** The most of a second of the day. */
const perSecondAtPeak = (perDay: number) => (perDay / DAY_SECONDS) * ASSUMED.peak;
/** How many cores this many µs of CPU a second take, with room. */
const coresFor = (micros: number) => micros / MICROS / ASSUMED.busy;

/** A Bloom filter of this many records: beyond the largest it claims more, which costs look-ups and no memory. */
const filterGb = (records: number) =>
  Math.min((records * MEASURED.filterBytes.value) / GB, MEASURED.largestFilter.value / 1_000);

/** Computes what `traffic` needs; with what the numbers are made of in `measured.ts`. */
export function planFor(traffic: Traffic): Plan {
  const { clicksPerDay, installsPerDay, eventsPerDay, days } = traffic;
  const [clicks, installs, events] = [clicksPerDay, installsPerDay, eventsPerDay].map(perSecondAtPeak) as [
    number,
    number,
    number,
  ];
  const m = MEASURED;
  const records = eventsPerDay + installsPerDay;
  const derived = (m.eventStored.value + m.eventDerived.value) * (events + installs);
  const serviceCores = coresFor(
    clicks * m.clickService.value + (events + installs) * m.eventService.value + installs * m.message.value,
  );
  const clickhouseCores =
    coresFor(clicks * (m.clickStored.value + m.clickTakenIn.value) + derived + installs * m.installDecided.value) +
    m.report.value;
  const clickBytes = m.clickBytes.value + m.touchBytes.value + ASSUMED.keys * m.keyBytes.value;
  const stored = days * (clicksPerDay * clickBytes + records * m.eventBytes.value);
  const clickhouseDiskGb = stored / GB / ASSUMED.diskFull;
  const logGb = ((clicks + events + installs) * ASSUMED.awayHours * 3_600 * m.logBytes.value) / GB;
  const workers = Math.max(1, Math.ceil(serviceCores));
  const filters = filterGb(days * (clicksPerDay + records)) + ASSUMED.uptimeDays * filterGb(clicksPerDay + records);
  const serviceMemoryGb = workers * (m.serviceMemory.value / 1_000 + filters);
  const inMemory = Math.min(days, ASSUMED.lookbackDays) * clicksPerDay * ASSUMED.keys * m.keyBytes.value;
  const clickhouseMemoryGb = (m.clickhouseMemory.value + m.reportMemory.value) / 1_000 + inMemory / GB;
  const { cores, memoryGb, diskGb } = ASSUMED.machine;
  const isOne =
    serviceCores + clickhouseCores <= cores &&
    serviceMemoryGb + clickhouseMemoryGb <= memoryGb &&
    clickhouseDiskGb <= diskGb;
  const shards = Math.ceil(Math.max(clickhouseCores / cores, clickhouseMemoryGb / memoryGb, clickhouseDiskGb / diskGb));
  const plan = {
    traffic,
    peakClicks: clicks,
    peakInstalls: installs,
    serviceCores,
    clickhouseCores,
    workers,
    serviceMemoryGb,
    clickhouseMemoryGb,
    clickhouseDiskGb,
    logGb,
    postgresMemoryGb: m.postgresMemory.value / 1_000,
    redis: !isOne,
    shards: isOne ? 0 : shards,
  };
  return { ...plan, firstKnob: adviseFirstKnob(plan) };
}

/** What gives way first, and what to turn then. */
function adviseFirstKnob(plan: Omit<Plan, 'firstKnob'>): string {
  if (plan.shards > 1) return '`CLICKHOUSE_CLUSTER`';
  if (plan.peakInstalls > MEASURED.decider.value) return '`ATTRIBUTION_DECIDERS=4`';
  if (plan.logGb > LOG_DEFAULT_GB) return `\`INGEST_LOG_MAX_MB=${Math.ceil(plan.logGb) * 1_000}\``;
  if (plan.workers > 1) return `\`WORKERS=${plan.workers}\``;
  if (plan.shards === 1) return '`CLICKHOUSE_URL`';
  return 'none';
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
/** Up to the next half, so that nobody plans with less. */
const halves = (value: number) => String(Math.max(0.5, Math.ceil(value * 2) / 2));
const gb = (value: number) => (value < 10 ? `${halves(value)} GB` : `${whole(Math.ceil(value))} GB`);

const ROWS: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['installs a day', ({ traffic }) => whole(traffic.installsPerDay)],
  ['app events a day', ({ traffic }) => whole(traffic.eventsPerDay)],
  ['days that records are kept', ({ traffic }) => whole(traffic.days)],
  [`clicks a second at the peak, ${ASSUMED.peak} times the mean`, ({ peakClicks }) => whole(Math.ceil(peakClicks))],
  ['service: cores', ({ serviceCores }) => halves(serviceCores)],
  ['service: processes (`WORKERS`, over all machines)', ({ workers }) => whole(workers)],
  ['service: memory', ({ serviceMemoryGb }) => gb(serviceMemoryGb)],
  ['ClickHouse: cores', ({ clickhouseCores }) => halves(clickhouseCores)],
  ['ClickHouse: memory', ({ clickhouseMemoryGb }) => gb(clickhouseMemoryGb)],
  ['ClickHouse: disk', ({ clickhouseDiskGb }) => gb(clickhouseDiskGb)],
  [`ingest log: disk, for ${ASSUMED.awayHours} hours without ClickHouse`, ({ logGb }) => gb(logGb)],
  ['PostgreSQL', ({ postgresMemoryGb }) => `1 core, ${gb(postgresMemoryGb)}`],
  ['Redis', ({ redis }) => (redis ? '1 core, 0.5 GB' : 'not needed')],
  ['machines', ({ shards }) => machines(shards)],
  ['what to turn first', ({ firstKnob }) => firstKnob],
];

function machines(shards: number): string {
  if (shards === 0) return 'one';
  return shards === 1 ? 'ClickHouse on its own' : `a cluster of ${shards} shards`;
}

/** Plans beside each other, as a table of Markdown. */
export function describePlans(plans: readonly Plan[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const head = line(['clicks a day', ...plans.map(({ traffic }) => whole(traffic.clicksPerDay))]);
  const rows = ROWS.map(([name, cell]) => line([name, ...plans.map(cell)]));
  return head + line(['---', ...plans.map(() => '---')]) + rows.join('');
}
