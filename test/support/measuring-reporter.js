/** Prints, for each test file, how long it took, and what the services cost that it started (measures.ts). */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROW = '| file | tests | seconds | services | seconds of ClickHouse | statements |';

module.exports = class MeasuringReporter {
  onRunStart() {
    this.file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-measures-')), 'services');
    fs.writeFileSync(this.file, '');
    process.env.ADTRAIL_TEST_MEASURES = this.file;
  }

  /** Services that files share end after this. */
  onRunComplete(_contexts, { testResults }) {
    process.once('exit', () => this.print(testResults));
  }

  print(testResults) {
    const lines = fs.readFileSync(this.file, 'utf8').split('\n').filter(Boolean);
    fs.rmSync(path.dirname(this.file), { recursive: true });
    const services = new Map();
    for (const { test, ...one } of lines.map((line) => JSON.parse(line)))
      services.set(test, [...(services.get(test) ?? []), one]);
    const row = (name, tests, seconds, own = []) =>
      [
        name,
        tests,
        seconds.toFixed(1),
        own.reduce((sum, one) => sum + (one.services ?? 0), 0),
        own.reduce((sum, one) => sum + one.seconds, 0).toFixed(1),
        own.reduce((sum, one) => sum + (one.statements ?? 0), 0),
      ].join(' | ');
    const files = testResults.map(({ testFilePath, testResults: tests, perfStats: { start, end } }) => ({
      name: path.basename(testFilePath),
      folder: path.basename(path.dirname(testFilePath)),
      tests: tests.length,
      seconds: (end - start) / 1000,
    }));
    files.sort((a, b) => b.seconds - a.seconds);
    const sum = (key) => files.reduce((total, file) => total + file[key], 0);
    const table = [
      ROW,
      '| --- | ---: | ---: | ---: | ---: | ---: |',
      `| ${row('all', sum('tests'), sum('seconds'), [...services.values()].flat())} |`,
      `| ${row('shared by files', 0, 0, services.get('shared'))} |`,
      ...files.map(
        ({ name, folder, tests, seconds }) => `| ${row(`${folder}/${name}`, tests, seconds, services.get(name))} |`,
      ),
    ];
    fs.writeSync(1, `\n${table.join('\n')}\n`);
  }
};
