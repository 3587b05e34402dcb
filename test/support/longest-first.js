/**
 * Starts the longest test files first, so that no worker is left with one of them at the end. How long a file took is
 * what Jest has kept of the last run; before the first one, the files named here come first, in this order. Those that
 * run on a cluster come together, so that it is there only then, and the unit tests, which are short, after them.
 */
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'dashboard-pages',
  'erasure',
  'backup',
  'kills',
  'dashboard-settings',
  'queue',
  'scheduled-exports',
  'ingest-log',
  'late-writes',
  'workers',
  'dashboard-journey',
  'hostile-rows',
  'lifecycle',
  'lifecycle-engines',
  'query',
  'own-exports',
  's2s-durability',
  'upgrades',
  'links-durability',
  'openapi',
  'postbacks',
  'browser-script',
  'dashboard-campaigns',
  'spend-upload-kills',
  'rolling-upgrade',
  'tenancy',
  'sql-isolation',
  'postback-log',
  'app-report',
  'alerts',
  'what-changed-web',
  'install-countries',
  'embedded-clickhouse',
  'app-report-histories',
  'processes',
  'dashboard-boards',
  'package',
  'export-turns',
  'lakes',
  'examples',
  'app-report-load',
  'installs',
  'export-kills',
  'attribution-results',
  'dashboard-links',
  'sealed',
  'dashboard-retention',
  'web-query',
  'places',
  'attribution',
  'hardening',
  'row-types',
  'airbyte',
  'attribution-property',
  'redis-kills',
  'statements',
  'people',
  'reader',
  'web-report',
  'storage',
  'dashboard-postbacks',
  'status',
  'demo',
  'regular-expressions',
  'dashboard-partner',
  'links-recorder',
  'exported-values',
  'web-report-property',
  'attribution-replay',
  'partners',
  'kept-answers',
  'web-report-extremes',
  'time-zones',
  'collect-kills',
  'persons',
  'sql-console',
  'monitoring',
  'spend',
  'dbt',
  'dashboard-installs',
  'campaigns-manage',
  'limits',
  'postback-secrets',
  'broken-parts',
  'funnels',
  'links',
  'people-sign-in-ways',
];

/** Projects whose files come after all others. */
const LAST = ['cluster', 'unit'];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path: file }) => {
      const index = LONGEST.indexOf(path.basename(file, '.test.ts'));
      return index === -1 ? LONGEST.length : index;
    };
    const group = ({ context }) => LAST.indexOf(context.config.displayName?.name);
    const duration = ({ duration: milliseconds }) => milliseconds ?? 0;
    return super.sort(tests).sort((a, b) => group(a) - group(b) || duration(b) - duration(a) || rank(a) - rank(b));
  }
};
