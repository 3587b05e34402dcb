/**
 * Three projects: `unit` tests modules by themselves, `integration` tests the built service over HTTP on real engines,
 * `resilience` tests it under kills and load. Each service has free ports and a temporary folder of its own.
 */
const project = (name, more = {}) => ({
  displayName: name,
  testEnvironment: 'node',
  roots: [`<rootDir>/test/${name}`],
  testMatch: ['**/*.test.ts'],
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

module.exports = {
  projects: [
    project('unit'),
    project('integration', {
      globalSetup: '<rootDir>/test/support/start-shared-service.ts',
      globalTeardown: '<rootDir>/test/support/stop-shared-service.ts',
    }),
    project('resilience', {
      globalSetup: '<rootDir>/test/support/prepare-resilience.ts',
      globalTeardown: '<rootDir>/test/support/clean-up-resilience.ts',
    }),
  ],
  // A machine that is slow, or busy with others, is no failure: limits only end what would never end.
  testTimeout: 180_000,
  // One more than the cores of a small machine: a quarter of the time of the tests with engines is waiting.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.js',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
};
