/**
 * Starts the longest test files first, so that no worker is left with one of them at the end. How long a file took is
 * what Jest has kept of the last run; before the first one, the files named here come first, in this order.
 */
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = [
  'erasure',
  's2s-durability',
  's2s-replay',
  'lifecycle',
  'attribution-durability',
  'web-report',
  'hostile-rows',
  'app-report',
  's2s-parameters',
  'limits',
  'lifecycle-engines',
  'attribution',
  'web-report-property',
  'engine-hang',
  'app-report-histories',
  'links-durability',
  'report-durability',
  's2s-rejections',
  'lifecycle-workers',
  'limits-api',
  'embedded-clickhouse',
  'attribution-results',
  'attribution-property',
  'admin-workspace',
  'attribution-backlog',
  'campaigns-manage',
  'demo',
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
