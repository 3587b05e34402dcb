/**
 * Starts the longest test files first, so that no worker is left with one of them at the end. How long a file took is
 * what Jest has kept of the last run; before the first one, the files named here come first, in this order.
 */
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'kills',
  'backup',
  'hostile-rows',
  'dashboard-pages',
  'attribution',
  'browser-script',
  's2s',
  'dashboard-journey',
  'ingest-log',
  's2s-durability',
  'queue',
  'workers',
  'sql-isolation',
  'redis-kills',
  'embedded-clickhouse',
  'lifecycle-engines',
  'erasure',
  'app-report',
  'lifecycle',
  'rolling-upgrade',
  'postbacks',
  'app-report-histories',
  'installs',
  'web-report',
  'web-query',
  'attribution-property',
  'statements',
  'attribution-results',
  'dashboard-settings',
  'app-report-load',
  'processes',
  'postback-log',
  'demo',
  'time-zones',
  'web-report-property',
  'openapi',
  'dashboard-retention',
  'dashboard-campaigns',
  'query',
  'dashboard-postbacks',
  'campaigns-manage',
  'tenancy',
  'storage',
  'sealed',
  'limits',
  'upgrades',
  'reader',
  'admin-workspace',
  'places',
  'people',
  'hardening',
  'monitoring',
  'import-clicks',
  'dashboard-installs',
  'spend',
  'collect-kills',
  'partners',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path: file }) => {
      const index = LONGEST.indexOf(path.basename(file, '.test.ts'));
      return index === -1 ? LONGEST.length : index;
    };
    const duration = ({ duration: milliseconds }) => milliseconds ?? 0;
    return super.sort(tests).sort((a, b) => duration(b) - duration(a) || rank(a) - rank(b));
  }
};
