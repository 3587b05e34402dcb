/** The image and the composition, as far as they can be checked without a container engine. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { load } from 'js-yaml';
import { readConfig } from '../../../src/config';

const root = path.resolve(__dirname, '..', '..', '..');
/** Digests of images come and go with `npm run pins`. */
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8').replace(/@sha256:\w{64}/g, '');

interface Service {
  image?: string;
  build?: string;
  init?: boolean;
  stop_grace_period?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
}

const compose = load(read('docker-compose.yml')) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const { adtrail, ...engines } = compose.services as { adtrail: Service } & Record<string, Service>;

/** The values with which an operator would fill the variables of the composition. */
const OPERATOR: Readonly<Record<string, string>> = {
  ADMIN_TOKEN: 'an-admin-token-of-the-compose-file',
  SEAL_KEY: 'a-seal-key-of-the-compose-file',
  POSTGRES_PASSWORD: 'postgresword',
  CLICKHOUSE_PASSWORD: 'clickhouseword',
};
const variables = [
  ...new Set(
    [
      ...read('docker-compose.yml')
        .replace(/^\s*#.*$/gm, '')
        .matchAll(/\$\{(\w+)/g),
    ].map(([, name]) => name as string),
  ),
];
/** Fills in `${NAME:?reason}` and `${NAME:-default}`, as compose does. */
const filled = (text: string) =>
  String(text).replace(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g,
    (_, name: string, byDefault?: string) => OPERATOR[name] ?? byDefault ?? '',
  );

/** The instructions of the Dockerfile, continued lines joined, by stage. */
const stages = read('Dockerfile')
  .replace(/^#.*$/gm, '')
  .replace(/\\\n/g, ' ')
  .split(/^(?=FROM )/m)
  .map((stage) =>
    stage
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => ({ name: line.split(' ')[0] as string, text: line.slice(line.indexOf(' ') + 1).trim() })),
  )
  .filter((stage) => stage[0]?.name === 'FROM');
const last = stages.at(-1) ?? [];
const of = (name: string, stage = last) =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text);
const imageEnv = Object.fromEntries(
  of('ENV')
    .flatMap((text) => text.split(/\s+/))
    .map((pair) => pair.split('=') as [string, string]),
);

/** Whether src/config.ts reads a variable of this name. */
function isKnown(name: string): boolean {
  return new RegExp(`^ {6}${name}: `, 'm').test(read('src/config.ts'));
}

describe('Dockerfile', () => {
  test('builds in one stage and runs in another, both on the current LTS of Node', () => {
    expect(stages.map((stage) => stage[0]?.text)).toEqual(['node:26-trixie-slim AS build', 'node:26-trixie-slim']);
    expect(of('RUN', stages[0]).join('\n')).toMatch(/npm ci[\s\S]*npm run build[\s\S]*npm prune --omit=dev/);
  });

  test('the build has what it reads', () => {
    const copied = of('COPY', stages[0]).flatMap((line) => line.split(' ').slice(0, -1));
    expect(copied).toEqual(expect.arrayContaining(['src', 'clickhouse', 'tsconfig.build.json', 'package.json']));
    const names = (stages[0] ?? []).map(({ name, text }) => `${name} ${text}`);
    const build = names.findIndex((line) => line.includes('npm run build'));
    expect(names.findIndex((line) => line.startsWith('COPY clickhouse'))).toBeLessThan(build);
  });

  test('runs as a user that is not root, to whom the data folder belongs', () => {
    expect(of('USER')).toEqual(['node']);
    const instructions = last.map(({ name }) => name);
    expect(instructions.indexOf('USER')).toBeLessThan(instructions.indexOf('CMD'));
    expect(instructions.slice(instructions.indexOf('USER'))).not.toContain('RUN');
    expect(of('VOLUME')).toEqual([imageEnv.DATA_DIR]);
    expect(of('RUN').join('\n')).toContain(`chown node:node ${imageEnv.DATA_DIR}`);
  });

  test('its environment is a good configuration that listens on every address', () => {
    const config = readConfig(imageEnv);
    expect([config.host, String(config.port), config.dataDir]).toEqual(['0.0.0.0', of('EXPOSE')[0], '/data']);
    expect(Object.keys(imageEnv).filter((name) => name !== 'NODE_ENV' && !isKnown(name))).toEqual([]);
  });

  test('is healthy when the service is ready', () => {
    const [check = ''] = of('HEALTHCHECK');
    const command = JSON.parse(/CMD (\[.*\])$/.exec(check)?.[1] ?? '[]') as string[];
    expect(command.slice(0, 2)).toEqual(['node', '-e']);
    expect(command[2]).toContain('/readyz');
    // Nobody listens there: the script itself works, and says unhealthy.
    expect(spawnSync(process.execPath, ['-e', command[2] as string], { env: { PORT: '1' } })).toMatchObject({
      status: 1,
      stderr: Buffer.from(''),
    });
  });

  test('starts the service as the process that receives signals', () => {
    expect(of('CMD')).toEqual(['["node", "--max-semi-space-size=64", "dist/cli.js", "serve"]']);
    expect(of('ENTRYPOINT')).toEqual([]);
  });

  test('contains everything that the package consists of', () => {
    const copied = of('COPY').map((text) => text.split(' ').at(-1)?.replace(/^\.\//, ''));
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    expect(copied).toEqual(expect.arrayContaining([...files, 'node_modules']));
  });

  test('every file that it copies from the folder exists and is not ignored', () => {
    const ignored = read('.dockerignore').split('\n').filter(Boolean);
    const sources = stages
      .flatMap((stage) => of('COPY', stage))
      .filter((text) => !text.startsWith('--from'))
      .flatMap((text) => text.split(' ').slice(0, -1));
    expect(sources.length).toBeGreaterThan(4);
    for (const source of sources)
      expect([source, fs.existsSync(path.join(root, source)), ignored.includes(source)]).toEqual([source, true, false]);
    for (const kept of ['node_modules', 'data', '.git', 'dist']) expect(ignored).toContain(kept);
  });
});

describe('docker-compose.yml', () => {
  test('the service gives its engines by URL, in a configuration that readConfig takes', () => {
    const env = Object.fromEntries(
      Object.entries(adtrail.environment ?? {}).map(([name, value]) => [name, filled(value)]),
    );
    expect(Object.keys(env).filter((name) => !isKnown(name))).toEqual([]);
    const config = readConfig(env);
    expect(config.databaseUrl).toBe('postgres://adtrail:postgresword@postgres:5432/adtrail');
    expect(config.clickhouse).toMatchObject({ url: 'http://clickhouse:8123', password: 'clickhouseword' });
    expect(config.redisUrl).toBe('redis://redis:6379');
    expect(config.adminToken).toBe('an-admin-token-of-the-compose-file');
    for (const url of [config.databaseUrl, config.clickhouse.url, config.redisUrl])
      expect(Object.keys(engines)).toContain(new URL(url as string).hostname);
  });

  test('the engines have the users, databases and passwords that the service uses', () => {
    const url = new URL(filled(adtrail.environment?.DATABASE_URL ?? ''));
    const postgres = engines.postgres?.environment ?? {};
    expect([postgres.POSTGRES_USER, filled(postgres.POSTGRES_PASSWORD ?? ''), postgres.POSTGRES_DB]).toEqual([
      url.username,
      url.password,
      url.pathname.slice(1),
    ]);
    const clickhouse = engines.clickhouse?.environment ?? {};
    expect([clickhouse.CLICKHOUSE_USER, filled(clickhouse.CLICKHOUSE_PASSWORD ?? '')]).toEqual([
      'default',
      filled(adtrail.environment?.CLICKHOUSE_PASSWORD ?? ''),
    ]);
  });

  test('no secret is written down, and none may be forgotten', () => {
    const text = read('docker-compose.yml');
    for (const name of Object.keys(OPERATOR)) {
      expect(variables).toContain(name);
      for (const [use] of text.matchAll(new RegExp(`\\$\\{${name}[^}]*\\}`, 'g'))) expect(use).toMatch(/:\?.+\}$/);
    }
    for (const service of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(service.environment ?? {}))
        if (/PASSWORD|TOKEN|SECRET/.test(name)) expect(value).toMatch(/^\$\{\w+:\?.+\}$/);
    }
  });

  test('waits for engines that are healthy', () => {
    expect(Object.keys(adtrail.depends_on ?? {}).sort()).toEqual(Object.keys(engines).sort());
    expect(Object.keys(engines).sort()).toEqual(['clickhouse', 'postgres', 'redis']);
    for (const { condition } of Object.values(adtrail.depends_on ?? {})) expect(condition).toBe('service_healthy');
    for (const engine of Object.values(engines)) expect(engine.healthcheck?.test[0]).toBe('CMD');
  });

  test('every image has a tag that is not latest', () => {
    expect(Object.values(engines).map(({ image }) => image)).toEqual([
      expect.stringMatching(/^postgres:18$/),
      expect.stringMatching(/^clickhouse\/clickhouse-server:\d+\.\d+$/),
      expect.stringMatching(/^redis:7$/),
    ]);
    for (const text of [read('docker-compose.yml'), read('Dockerfile')]) expect(text).not.toMatch(/:latest\b/);
    expect(adtrail).toMatchObject({ build: '.', init: true });
    expect(adtrail.image).toBeUndefined();
  });

  test('offers the port of the image; ClickHouse to this machine only, the other engines to nobody', () => {
    expect(adtrail.ports).toEqual([`\${PUBLISH:-127.0.0.1}:8080:${of('EXPOSE')[0]}`]);
    expect(engines.clickhouse?.ports).toEqual(['127.0.0.1:8123:8123']);
    expect([engines.postgres?.ports, engines.redis?.ports]).toEqual([undefined, undefined]);
  });

  test('keeps what must stay in named volumes', () => {
    const used = Object.values(compose.services)
      .flatMap((service) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0] as string);
    expect(used.sort()).toEqual(Object.keys(compose.volumes).sort());
    expect(adtrail.volumes?.[0]?.split(':')[1]).toBe(imageEnv.DATA_DIR);
    // Version 18 moved it; a volume on the old path would stay empty.
    expect(engines.postgres?.volumes).toEqual(['postgres:/var/lib/postgresql']);
  });

  test('a stop leaves the service the 10 s that it may take', () => {
    expect(parseInt(adtrail.stop_grace_period ?? '0', 10)).toBeGreaterThan(10);
  });

  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  if (!hasCompose)
    process.stderr.write(
      'docker compose config is not asked: this docker has no compose; the file is parsed as YAML instead\n',
    );
  (hasCompose ? test : test.skip)('docker compose config takes it, and refuses to go without a secret', () => {
    const config = (env: NodeJS.ProcessEnv) =>
      spawnSync('docker', ['compose', '--file', path.join(root, 'docker-compose.yml'), 'config', '--quiet'], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      });
    expect(config({ ...OPERATOR })).toMatchObject({ status: 0 });
    for (const name of Object.keys(OPERATOR)) expect(config({ ...OPERATOR, [name]: '' }).status).not.toBe(0);
  });
});

/** What hadolint would look for, by a parser of Dockerfiles. */
describe('good manners of the Dockerfile', () => {
  const parsed = DockerfileParser.parse(read('Dockerfile'));
  const instructions = parsed.getInstructions();
  const keywords = instructions.map((one) => one.getKeyword());
  const last = instructions.slice(keywords.lastIndexOf('FROM'));
  const named = (keyword: string, of = instructions) => of.filter((one) => one.getKeyword() === keyword);

  test('base images have a version, and none is the latest', () => {
    const images = parsed.getFROMs().map((from) => ({ tag: from.getImageTag(), name: from.getImageName() }));
    expect(images.length).toBeGreaterThan(1);
    for (const { tag } of images) expect(tag).toMatch(/^\d+(\.\d+)*-[a-z]+-slim$/);
    const others = Object.values(compose.services).flatMap(({ image }) => (image === undefined ? [] : [image]));
    expect(others.length).toBeGreaterThan(2);
    for (const image of others) expect(image).toMatch(/:\d+(\.\d+)*$/);
  });

  test('ends as a user that is not root, and keeps the working directory absolute', () => {
    const users = named('USER', last).map((one) => one.getArgumentsContent());
    expect(users.length).toBeGreaterThan(0);
    expect(['root', '0', undefined, null]).not.toContain(users.at(-1));
    for (const one of named('WORKDIR')) expect(one.getArgumentsContent()).toMatch(/^\//);
  });

  test('copies by COPY: ADD would unpack and fetch', () => {
    expect(keywords).not.toContain('ADD');
    expect(keywords).not.toContain('MAINTAINER');
  });

  test('has no secret in ENV, ARG or a command', () => {
    const names = [...parsed.getENVs(), ...parsed.getARGs()].flatMap((one) => one.getProperties());
    expect(names.length).toBeGreaterThan(3);
    for (const one of names) expect(one?.getName()).not.toMatch(/PASSWORD|TOKEN|SECRET|KEY|_URL/i);
    for (const one of named('RUN')) expect(one.getArgumentsContent()).not.toMatch(/(password|token|secret)=/i);
  });

  test('commands leave nothing of a package manager, and need neither sudo nor cd', () => {
    for (const one of named('RUN')) {
      const command = one.getArgumentsContent() ?? '';
      expect(command).not.toMatch(/\b(sudo|ssh|vim)\b|(^|&& )cd |npm install\b|--unsafe-perm/);
      if (/apt-get install/.test(command)) {
        expect(command).toMatch(/--no-install-recommends/);
        expect(command).toMatch(/rm -rf \/var\/lib\/apt\/lists\/\*/);
      }
    }
  });

  test('one command, as a list of arguments, and one check of health', () => {
    expect(named('CMD', last)).toHaveLength(1);
    expect(named('ENTRYPOINT')).toHaveLength(0);
    expect(named('HEALTHCHECK')).toHaveLength(1);
    const words = parsed.getCMDs().at(-1)?.getJSONStrings() ?? [];
    expect(words.length).toBeGreaterThan(1);
  });

  test('what must not enter an image is ignored', () => {
    const ignored = read('.dockerignore').split('\n');
    const never = ['.git', '.env', 'node_modules', 'data', 'dist', 'test', '*.log', 'coverage', 'deploy'];
    expect(never.filter((name) => !ignored.includes(name))).toEqual([]);
  });
});
