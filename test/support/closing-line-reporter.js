/**
 * Ends a test run with one line that a machine can read: `N passed, N failed, N skipped`. The paths of files with
 * failures are written to the file that FAILED_FILES names.
 */
const fs = require('node:fs');
const path = require('node:path');

module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter((suite) => suite.failureMessage && suite.numFailingTests === 0).length;
    const skipped = results.testResults.flatMap((suite) =>
      suite.testResults.filter((test) => test.status === 'pending').map((test) => test.fullName),
    );
    if (process.env.FAILED_FILES) {
      const failed = results.testResults.filter((suite) => suite.failureMessage).map((suite) => suite.testFilePath);
      const lines = [...new Set(failed)].map((file) => `${path.relative(process.cwd(), file)}\n`);
      fs.writeFileSync(process.env.FAILED_FILES, lines.join(''));
    }
    const lines = [
      `TEST_SEED=${process.env.TEST_SEED}`,
      ...skipped.map((name) => `skipped: ${name}`),
      `${results.numPassedTests} passed, ${results.numFailedTests + broken} failed, ${skipped.length} skipped`,
    ];
    // Other reporters print their summaries first, some of them late: this is the last thing the process says.
    process.once('exit', () => fs.writeSync(1, `${lines.join('\n')}\n`));
  }
};
