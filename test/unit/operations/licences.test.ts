/** Everything that is installed has a licence that lets anybody run and change the service. */
import fs from 'node:fs';
import path from 'node:path';

interface Package {
  readonly license?: string;
  readonly optional?: boolean;
  /** Only tests and the build need it: nothing of it is in what is shipped. */
  readonly dev?: boolean;
  readonly os?: readonly string[];
}

const lock = JSON.parse(fs.readFileSync(path.resolve(__dirname, '..', '..', '..', 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>;
};
const installed = Object.entries(lock.packages).filter(([name]) => name !== '');

const FREE = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'Python-2.0',
  'Apache-2.0 AND MIT',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
]);
/** Files of such a package stay under its licence, and a tool that is not shipped adds none to the service. */
const FREE_FOR_TOOLS = new Set(['MPL-2.0']);
/** Data, with attribution: docs/data-licences.md, and what the linter's tools know of browsers. */
const DATA: Readonly<Record<string, string>> = {
  'node_modules/@ip-location-db/asn': 'SEE LICENSE IN ROUTEVIEWS-LICENSE and DBIP-LICENSE (CC-BY-4.0)',
  'node_modules/@ip-location-db/dbip-country': 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
  'node_modules/caniuse-lite': 'CC-BY-4.0',
};
/** A build of a package for one platform comes with the licence of the package itself. */
const isPlatformBuild = ({ optional, os }: Package) => optional === true && os !== undefined;

test('no package has another licence', () => {
  const others = installed.filter(
    ([name, one]) =>
      !FREE.has(one.license ?? '') &&
      !(one.dev && FREE_FOR_TOOLS.has(one.license ?? '')) &&
      DATA[name] !== one.license &&
      !(!one.license && isPlatformBuild(one)),
  );
  expect(others.map(([name, { license }]) => [name, license])).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});
