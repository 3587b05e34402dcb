/**
 * `npm run pins`: pins what builds and runs the service by its content, as far as the network tells it: the packages of
 * every platform in package-lock.json, container images by digest, and GitHub actions by commit. What is pinned to an
 * older content of the same tag is pinned anew. What could not be found out is named, and the exit code is 1.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const IMAGES = ['Dockerfile', 'docker-compose.yml'];
const ACTIONS = fs.readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');

const unknown = [];
const ask = async (what, find) => {
  const found = await Promise.resolve()
    .then(find)
    .catch(() => undefined);
  if (!found) unknown.push(what);
  return found;
};
const run = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 }).trim();

async function pinPackages() {
  const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  for (const [place, one] of Object.entries(lock.packages)) {
    if (place === '' || one.link || one.integrity) continue;
    const name = `${one.name ?? place.split('node_modules/').at(-1)}@${one.version}`;
    const integrity = await ask(name, () => run('npm', ['view', name, 'dist.integrity']));
    if (integrity) one.integrity = integrity;
  }
  fs.writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
}

/** The digest of all platforms of a tag on Docker Hub. */
async function readDigest(image) {
  const [name, tag] = image.split(':');
  const repository = name.includes('/') ? name : `library/${name}`;
  const scope = `https://auth.docker.io/token?service=registry.docker.io&scope=repository:${repository}:pull`;
  const { token } = await (await fetch(scope)).json();
  const answer = await fetch(`https://registry-1.docker.io/v2/${repository}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${token}`, Accept: MANIFESTS },
  });
  return answer.ok ? answer.headers.get('docker-content-digest') : undefined;
}

/** A tag of a release is an object of its own; what it names has `^{}`. */
function readCommit(action, tag) {
  const lines = run('git', ['ls-remote', `https://github.com/${action}`, `refs/tags/${tag}`, `refs/tags/${tag}^{}`]);
  return lines.split('\n').at(-1).split('\t')[0];
}

async function rewrite(file, pattern, replace) {
  const text = fs.readFileSync(file, 'utf8');
  const found = new Map();
  for (const match of text.matchAll(pattern)) if (!found.has(match[0])) found.set(match[0], await replace(match));
  fs.writeFileSync(
    file,
    text.replace(pattern, (before) => found.get(before) ?? before),
  );
}

await pinPackages();
for (const file of IMAGES)
  await rewrite(file, /((?:image:|FROM) )([\w./-]+:[\w.-]+)(?:@sha256:\w+)?/g, async ([, before, image]) => {
    const digest = await ask(image, () => readDigest(image));
    return digest && `${before}${image}@${digest}`;
  });
for (const file of ACTIONS)
  await rewrite(file, /uses: ([\w./-]+)@(?:(v[\d.]+)|\w+ # (v[\d.]+))$/gm, async ([, action, plain, noted]) => {
    const commit = await ask(`${action}@${plain ?? noted}`, () => readCommit(action, plain ?? noted));
    return commit && `uses: ${action}@${commit} # ${plain ?? noted}`;
  });
if (unknown.length > 0) {
  console.error(`Not found out: ${unknown.join(', ')}`);
  process.exitCode = 1;
}
