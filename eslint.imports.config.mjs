// The import check: data flows one way through the rooms of src/, and only the composition root sees everything.
// Each room lists what it must not import; a room that is not listed may import what its neighbours may.
import tseslint from 'typescript-eslint';

const features = [
  'admin',
  'app-report',
  'attribution',
  'backup',
  'campaigns',
  'collect',
  'doctor',
  'erasure',
  'partner-portal',
  'partner-quality',
  'installs',
  'outbox',
  'sql-console',
  'tracking-links',
  's2s',
  'web-report',
];
const engines = ['embedded'];
const roots = ['main', 'cli', 'commands', 'wiring', 'demo', 'import', 'api-reference'];

const forbid = (folder, patterns) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [...patterns, noDashboard].map(([group, message]) => ({ group, message })) },
    ],
  },
});

const outside = (names) =>
  names.flatMap((name) => [`../${name}`, `../${name}/**`, `../../${name}`, `../../${name}/**`]);
const noRoots = [outside(roots), 'Nothing calls back up: the composition root is imported by nobody.'];
const noConfig = [outside(['config']), 'Configuration is read in the composition root and handed on as values.'];
const noEngines = [outside(engines), 'Embedded engines are reached over their URLs, like any other.'];
const noKoa = [['koa', 'raw-body', '@koa/router'], 'Only routes.ts and http/ know Koa.'];
const noFeatures = (self) => [outside(features.filter((name) => name !== self)), 'No feature imports another.'];
const noDashboard = [outside(['dashboard']), 'The dashboard is served as files: nothing of the service imports it.'];
/** Files so deep in the dashboard, and how an import leaves it from there. */
const noService = (depth) => ({
  files: [`dashboard/src${'/*'.repeat(depth)}.{ts,tsx}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            // Where it is safe to lead somebody is decided by one function, in the page and in the service.
            group: [`${'../'.repeat(depth)}**`, `!${'../'.repeat(depth)}safe-path`],
            message: 'The dashboard meets the service only over HTTP.',
          },
        ],
      },
    ],
  },
});
const noHttp = [outside(['http']), 'Only routes know HTTP.'];

/** Wrong on Node 20, see src/lib/parse-url.ts. */
const CAN_PARSE = { object: 'URL', property: 'canParse', message: 'parseUrl reads URLs.' };

export default tseslint.config(
  { languageOptions: { parser: tseslint.parser } },
  forbid('**', []),
  ...[1, 2, 3, 4].map(noService),
  ...features.map((name) => forbid(name, [noRoots, noConfig, noEngines, noFeatures(name)])),
  ...[
    'db',
    'materialize',
    'net',
    'ingest',
    'metrics',
    'openapi',
    'configuration',
    'figures',
    'reporting',
    'tracing',
    'web-channels',
  ].map((name) => forbid(name, [noRoots, noConfig, noEngines, noFeatures(name), noHttp, noKoa])),
  forbid('limits', [noRoots, noEngines, noFeatures('limits'), noHttp, noKoa]),
  forbid('http', [noRoots, noConfig, noEngines, noFeatures('http')]),
  forbid('embedded', [
    noRoots,
    noConfig,
    noFeatures('embedded'),
    noHttp,
    noKoa,
    [outside(['db', 'configuration', 'ingest', 'limits']), 'Embedded engines know nothing of the product.'],
  ]),
  {
    files: ['src/*/**/*.ts'],
    ignores: ['src/*/routes.ts', 'src/*/*-routes.ts', 'src/*/*/routes.ts', 'src/http/**', 'src/wiring/http.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportDeclaration[source.value=/^(koa|koa-body|@koa\\/router)$/]',
          message: 'Only routes.ts and http/ know Koa.',
        },
      ],
    },
  },
  // A browser's is right.
  {
    files: ['src/**/*.ts'],
    ignores: ['dashboard/src/**'],
    rules: { 'no-restricted-properties': ['error', CAN_PARSE] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli.ts', 'src/embedded/**', 'dashboard/src/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        CAN_PARSE,
        { object: 'process', property: 'env', message: 'config.ts reads the environment, from what cli.ts hands it.' },
      ],
    },
  },
);
