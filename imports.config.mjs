/**
 * The import check of src/: data flows one way through its folders, and only the composition root sees everything. A
 * folder that stands in no list below is an error: say what it is.
 */
import { readdirSync } from 'node:fs';

/** What adtrail does, one folder each: none imports another. */
const FEATURES = [
  'alerts',
  'annotations',
  'app-report',
  'attribution',
  'backup',
  'boards',
  'campaigns',
  'channels',
  'collect',
  'deliveries',
  'doctor',
  'domains',
  'erasure',
  'export',
  'funnels',
  'installs',
  'keys',
  'links',
  'mcp',
  'partner-portal',
  'partner-quality',
  'partners',
  'people',
  'postbacks',
  'query',
  's2s',
  'schedules',
  'setup',
  'sql-console',
  'status',
  'unsubscribe',
  'web-report',
  'webhooks',
  'workspace',
];
/** What features share: it knows neither features nor HTTP. */
const SHARED = [
  'configuration',
  'db',
  'derive',
  'figures',
  'files',
  'ingest',
  'lib',
  'limits',
  'metrics',
  'net',
  'notices',
  'openapi',
  'questions',
  'reporting',
  'stores',
  'tables',
  'tracing',
  'web-channels',
];
/** Starts, wires and builds: nothing else imports it. */
const ROOTS = ['build', 'commands', 'demo', 'plan', 'wiring'];
const ENGINES = 'embedded';
/** Served as a file: no code of the service. */
const SCRIPTS = ['browser'];

const known = [...FEATURES, ...SHARED, ...ROOTS, ...SCRIPTS, ENGINES, 'http'];
const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const unknown = folders.map(({ name }) => name).filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`imports.config.mjs does not say what src/${unknown.join(', src/')} is.`);

const below = (names) => `^src/(${names.join('|')})/`;
const files = (names) => `^src/(${names.join('|')})\\.ts$`;
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const roots = `${below(ROOTS)}|${files(['main', 'cli'])}`;
const feature = `^src/(${FEATURES.join('|')})/`;

export default {
  forbidden: [
    forbid('no-circle', {}, { circular: true }, 'No circle, of types neither.'),
    { ...forbid('no-circle-of-folders', {}, { circular: true }, ''), scope: 'folder' },
    forbid('nothing-calls-up', { pathNot: roots }, { path: roots }, 'Nobody imports the composition root.'),
    forbid(
      'no-feature-imports-another',
      { path: feature },
      { path: feature, pathNot: '^src/$1/' },
      'What two features need stands below both.',
    ),
    forbid('shared-knows-no-feature', { path: below(SHARED) }, { path: `${feature}|${below(['http'])}` }, ''),
    forbid('http-knows-no-feature', { path: below(['http']) }, { path: feature }, 'Features import http/.'),
    forbid(
      'configuration-is-handed-on',
      { pathNot: `${roots}|${below(['limits'])}|^src/config.ts$` },
      { path: '^src/config\\.ts$' },
      'The composition root reads it, and hands on values.',
    ),
    forbid(
      'engines-are-reached-over-urls',
      { pathNot: `${roots}|${below([ENGINES])}` },
      { path: below([ENGINES]) },
      '',
    ),
    forbid(
      'engines-know-no-product',
      { path: below([ENGINES]) },
      { path: `${feature}|${below(['http', 'db', 'configuration', 'ingest', 'limits', 'derive', 'figures'])}` },
      '',
    ),
    forbid(
      'only-routes-know-koa',
      { path: '^src/', pathNot: ['/routes\\.ts$', '-routes\\.ts$', '^src/http/', '^src/wiring/(http|features)\\.ts$'] },
      { path: 'node_modules/(koa|koa-body|raw-body|@koa/router)/' },
      '',
    ),
    forbid('no-dashboard', { path: '^src/' }, { path: '^dashboard/' }, 'The dashboard is served as files.'),
    forbid(
      'the-dashboard-speaks-http',
      { path: '^dashboard/' },
      // One function decides where it is safe to lead somebody, in the page and in the service.
      { path: '^src/', pathNot: '^src/lib/safe-path\\.ts$' },
      'The dashboard meets the service only over HTTP.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
