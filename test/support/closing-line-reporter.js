/** Ends a test run with one line that a machine can read: `N passed, N failed, N skipped`. */
const fs = require('node:fs');

module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter((suite) => suite.failureMessage && suite.numFailingTests === 0).length;
    const skipped = results.testResults.flatMap((suite) =>
      suite.testResults.filter((test) => test.status === 'pending').map((test) => test.fullName),
    );
    const lines = [
      `TEST_SEED=${process.env.TEST_SEED}`,
      ...skipped.map((name) => `skipped: ${name}`),
      `${results.numPassedTests} passed, ${results.numFailedTests + broken} failed, ${skipped.length} skipped`,
    ];
    // Other reporters print their summaries first, some of them late: this is the last thing the process says.
    process.once('exit', () => fs.writeSync(1, `${lines.join('\n')}\n`));
  }
};
