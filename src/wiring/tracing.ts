/** Wires traces: OpenTelemetry is loaded where the configuration says that spans are sent, and nowhere else. */
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config';
import type { Log } from '../log';
import { NO_TRACING, type Tracing } from '../tracing/tracing';

export async function wireTracing({ tracing }: Pick<Config, 'tracing'>, log: Log): Promise<Tracing> {
  if (!tracing) return NO_TRACING;
  const file = path.join(__dirname, '..', '..', 'package.json');
  const { version } = JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string };
  const { startTracing } = await import('../tracing/otel.js');
  return startTracing({ ...tracing, version, log });
}
