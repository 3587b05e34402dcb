/** Which running service a command speaks to, and what commands say in common. */
import fs from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { readConfig, type Config } from '../config';
import { StartError } from '../errors';
import { askService, withAdminToken } from '../lib/ask-service';

/** The environment that a command is started in; only src/cli.ts reads it from the process. */
export type Env = NodeJS.ProcessEnv;

export const URL_OPTION = [
  '--url <url>',
  'address of the running service; default: HOST and PORT of the environment',
] as const;

/** A running service, and what it takes. */
export interface AdminTarget {
  readonly service: string;
  readonly adminToken: string;
}

/** @throws StartError where there is no admin token. */
export function chooseTarget(env: Env, options: { url?: string }): AdminTarget {
  const config = readConfig(env);
  return { service: serviceAt(config, options), adminToken: readAdminToken(config) };
}

export const serviceAt = (config: Config, { url }: { url?: string }) =>
  url?.replace(/\/$/, '') ?? formatAddress(config.host, config.port);
export const formatAddress = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export const adminTokenFile = (config: Config) => path.join(config.dataDir, 'admin-token');

/** The token of ADMIN_TOKEN, else the one that the service generated into its data folder. */
export function readAdminToken(config: Config): string {
  if (config.adminToken) return config.adminToken;
  const file = adminTokenFile(config);
  if (!fs.existsSync(file))
    throw new StartError(
      `There is no admin token: set ADMIN_TOKEN, or DATA_DIR to the folder of the running service (${file} does ` +
        'not exist).',
    );
  return fs.readFileSync(file, 'utf8').trim();
}

/** The ID of a project or partner, by its name or ID. */
export async function findByName(
  { service, adminToken }: AdminTarget,
  what: 'project' | 'partner',
  wanted: string,
): Promise<number> {
  const headers = withAdminToken(adminToken);
  const answer = await askService<Record<string, { id: number; name: string }[]>>(service, `/admin/v1/${what}s`, {
    headers,
  });
  const found = (answer[`${what}s`] ?? []).filter(({ id, name }) => name === wanted || String(id) === wanted);
  if (found.length !== 1)
    throw new StartError(
      found.length === 0
        ? `There is no ${what} ${wanted}.`
        : `Several ${what}s are named ${wanted}; name one by its ID: ${found.map(({ id }) => id).join(', ')}.`,
    );
  return found[0]?.id as number;
}

export function readDocument(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`Cannot read ${file} as JSON: ${(error as Error).message}`);
  }
}

/** @throws InvalidArgumentError for what is none from 1 to 999999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('takes a whole number from 1 to 999999');
  return Number(text);
}

export const print = (text: string): void => void process.stdout.write(text);
