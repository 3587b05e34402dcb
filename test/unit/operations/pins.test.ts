/** What builds the service is what it was when it was looked at (CONTRIBUTING.md). */
import fs from 'node:fs';
import path from 'node:path';

const read = (file: string) => fs.readFileSync(path.resolve(__dirname, '..', '..', '..', file), 'utf8');

test('every package has an integrity, but those that the registry did not give', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { link?: boolean; integrity?: string }>;
  };
  const isInstalled = (place: string) => place.includes('node_modules/');
  const without = Object.entries(packages).filter(([place, one]) => isInstalled(place) && !one.link && !one.integrity);
  // Engines of other platforms: `npm run pins` sets them where they can be had.
  expect(without.filter(([place]) => !/^node_modules\/@chdb\/lib-(darwin|linux-arm64)/.test(place))).toEqual([]);
});

test('actions are pinned by commit', () => {
  const workflows = fs.readdirSync(path.resolve(__dirname, '..', '..', '..', '.github/workflows'));
  const used = workflows
    .flatMap((name) => [...read(`.github/workflows/${name}`).matchAll(/uses: (.*)/g)])
    .map(([, action]) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/@[0-9a-f]{40} # v\d/);
});
