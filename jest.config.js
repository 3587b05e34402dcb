/**
 * Four projects: `unit` tests modules by themselves, `integration` tests the built service over HTTP on real engines,
 * `cluster` does so on two shards of ClickHouse, `resilience` tests it under kills and load. Each service has free
 * ports and a temporary folder of its own.
 */
const project = (name, more = {}) => ({
  displayName: name,
  testEnvironment: '<rootDir>/test/support/environment.js',
  roots: [`<rootDir>/test/${name}`],
  testMatch: ['**/*.test.ts'],
  // The client as it is in the sources, as for the dashboard.
  moduleNameMapper: { '^@adtrail/client$': '<rootDir>/clients/typescript/src/index.ts' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
  },
  ...more,
});

/** Files of test/integration that run on a cluster, too: what reads or writes several tables, against the models. */
const ON_CLUSTER = [
  'app-report-histories',
  'attribution-results',
  'partners',
  'query',
  'web-query',
  'web-report-property',
];
if (process.env.SOAK === 'true') ON_CLUSTER.push('attribution-property', 'installs', 's2s-property');

// What is random in tests is drawn from it (test/support/soak.ts); the run ends with it.
process.env.TEST_SEED ??= String(Date.now() % 1_000_000_000);

module.exports = {
  projects: [
    project('unit'),
    project('integration', {
      roots: ['<rootDir>/test/integration', '<rootDir>/test/browser'],
      globalSetup: '<rootDir>/test/support/start-shared-service.ts',
      globalTeardown: '<rootDir>/test/support/stop-shared-service.ts',
    }),
    // Some of the integration tests again, on two shards, and what there is to test of a cluster alone.
    project('cluster', {
      roots: ['<rootDir>/test/cluster', '<rootDir>/test/integration'],
      testMatch: ['**/test/cluster/*.test.ts', `**/test/integration/**/{${ON_CLUSTER.join(',')}}.test.ts`],
      setupFiles: ['<rootDir>/test/support/on-cluster.ts'],
      globalSetup: '<rootDir>/test/support/start-cluster-service.ts',
      globalTeardown: '<rootDir>/test/support/stop-cluster-service.ts',
    }),
    project('resilience', {
      globalSetup: '<rootDir>/test/support/prepare-resilience.ts',
      globalTeardown: '<rootDir>/test/support/clean-up-resilience.ts',
    }),
  ],
  // A machine that is slow, or busy with others, is no failure: limits only end what would never end.
  testTimeout: 180_000,
  // One for each core of a small machine: with more, what waits for a core runs into limits.
  maxWorkers: 2,
  // Concurrent tests of a file wait for the same runs of the service, all together.
  maxConcurrency: 100,
  testSequencer: '<rootDir>/test/support/longest-first.js',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
};
