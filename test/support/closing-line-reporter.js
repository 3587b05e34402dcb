/** Ends a test run with one line that a machine can read: `N passed, N failed, N skipped`. */
module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter((suite) => suite.testExecError || suite.failureMessage).filter((suite) => suite.numFailingTests === 0).length;
    const skipped = results.testResults.flatMap((suite) => suite.testResults.filter((test) => test.status === 'pending').map((test) => test.fullName));
    for (const name of skipped) process.stdout.write(`skipped: ${name}\n`);
    process.stdout.write(`${results.numPassedTests} passed, ${results.numFailedTests + broken} failed, ${skipped.length} skipped\n`);
  }
};
