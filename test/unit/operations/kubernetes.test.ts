/** The manifests of deploy/kubernetes, against the published schemas of Kubernetes and against the service itself. */
import fs from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';
import ts from 'typescript';
import { readConfig } from '../../../src/config';

const root = path.resolve(__dirname, '..', '..', '..');
const folder = path.join(root, 'deploy', 'kubernetes');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

interface Container {
  readonly image: string;
  readonly command?: string[];
  readonly ports?: { readonly name: string; readonly containerPort: number }[];
  readonly env?: { readonly name: string; readonly value: string }[];
  readonly envFrom: Record<string, { readonly name: string }>[];
  readonly volumeMounts: { readonly name: string; readonly mountPath: string }[];
  readonly resources: { readonly requests?: object; readonly limits?: object };
  readonly securityContext: object;
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: [Container];
  readonly volumes: { readonly name: string; readonly emptyDir?: object }[];
  readonly topologySpreadConstraints?: object[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: {
    readonly selector: Record<string, unknown>;
    readonly template: { readonly metadata: { readonly labels: Record<string, string> }; readonly spec: Pod };
    readonly volumeClaimTemplates?: { readonly metadata: { readonly name: string } }[];
    readonly serviceName?: string;
    readonly ports?: { readonly targetPort: string }[];
  };
}
/** Where the types of each kind are. */
const MODULES: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  Namespace: 'core/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
  StatefulSet: 'apps/v1',
};

const files = fs.readdirSync(folder).sort();
const kustomization = loadAll(read('deploy/kubernetes/kustomization.yaml'))[0] as {
  resources: string[];
  images: { name: string }[];
};
const manifests = files
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) => loadAll(read(`deploy/kubernetes/${file}`)) as Manifest[]);
const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
const workloads = ofKind('Deployment', 'StatefulSet', 'Job');
const served = ofKind('Deployment', 'StatefulSet');
const readPod = (one: Manifest) => one.spec.template.spec;
const readContainer = (one: Manifest) => readPod(one).containers[0];
const config = ofKind('ConfigMap')[0]?.data ?? {};
const secret = ofKind('Secret')[0]?.stringData ?? {};
/** As an operator would fill them in. */
const FILLED: Readonly<Record<string, string>> = {
  ADMIN_TOKEN: 'an-admin-token-of-the-manifests',
  SEAL_KEY: 'a-seal-key-of-the-manifests-of-32-characters',
  DATABASE_URL: 'postgres://adtrail:word@postgres.databases.svc:5432/adtrail',
  CLICKHOUSE_PASSWORD: 'word',
  CLICKHOUSE_READER_PASSWORD: 'word',
  IP_HASH_SECRET: 'word',
};
const readEnvironment = (one: Manifest) => ({
  ...config,
  ...FILLED,
  ...Object.fromEntries((readContainer(one).env ?? []).map(({ name, value }) => [name, value])),
});

/** What a program reads, parsed once for all. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of manifests as values of the types that are made from the schemas of Kubernetes. */
function complaints(of: readonly Manifest[]): string[] {
  const name = path.join(root, 'test', 'unit', 'manifests.ts');
  const lines = of.map(
    (one, i) => `const a${i}: import('kubernetes-types/${MODULES[one.kind]}').${one.kind} = ${JSON.stringify(one)};`,
  );
  const options = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...more) => {
    if (file === name) return ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2022);
    const source = sources.get(file) ?? getSourceFile(file, ...more);
    sources.set(file, source);
    return source;
  };
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (file) => file === name || fileExists(file);
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('manifests have the fields that Kubernetes needs, of its types, and none that it does not know', () => {
  expect(manifests.length).toBeGreaterThan(10);
  expect(complaints(manifests)).toEqual([]);
  const [first] = served as [Manifest];
  for (const wrong of [{ replica: 2 }, { replicas: '2' }, { selector: undefined }])
    expect(complaints([{ ...first, spec: { ...first.spec, ...wrong } as Manifest['spec'] }])).toHaveLength(1);
});

test('the kustomization has every manifest but the example of the Secret, and names the image', () => {
  expect([...kustomization.resources, 'kustomization.yaml', 'secret.example.yaml'].sort()).toEqual(files);
  expect(kustomization.images.map(({ name }) => name)).toEqual([
    ...new Set(workloads.map((one) => readContainer(one).image)),
  ]);
});

test('the example of the Secret has no value', () => {
  expect(Object.keys(secret).sort()).toEqual(Object.keys(FILLED).sort());
  expect(new Set(Object.values(secret))).toEqual(new Set(['']));
  for (const name of Object.keys(config)) expect(name).not.toMatch(/PASSWORD|TOKEN|SECRET|DATABASE_URL/);
});

test('every variable is one that the service knows, and the configuration is good', () => {
  const known = new Set(
    read('src/config.ts')
      .match(/^ {6}[A-Z][A-Z0-9_]+(?=: )/gm)
      ?.map((name) => name.trim()),
  );
  for (const one of workloads) {
    expect(Object.keys(readEnvironment(one)).filter((name) => !known.has(name))).toEqual([]);
    expect(() => readConfig(readEnvironment(one))).not.toThrow();
    expect(readContainer(one).envFrom).toEqual([
      { configMapRef: { name: 'adtrail' } },
      { secretRef: { name: 'adtrail' } },
    ]);
  }
});

test('every role is served, once; what keeps a log has a volume, and what has none waits for ClickHouse', () => {
  const roles = served.flatMap((one) => [...readConfig(readEnvironment(one)).roles]);
  expect(roles.sort()).toEqual([...readConfig({}).roles].sort());
  for (const one of served) {
    const { ingest } = readConfig(readEnvironment(one));
    const volume = readContainer(one).volumeMounts.find(({ mountPath }) => ingest.folder.startsWith(mountPath))?.name;
    const outlives = one.spec.volumeClaimTemplates?.some(({ metadata }) => metadata.name === volume) ?? false;
    expect([one.metadata.name, outlives, ingest.acceptAfter]).toEqual([
      one.metadata.name,
      one.kind === 'StatefulSet',
      one.kind === 'StatefulSet' ? 'log' : 'clickhouse',
    ]);
  }
});

test('pods have the port, the probes and the time to stop that the service needs', () => {
  for (const one of served) {
    const { ports, startupProbe, livenessProbe, readinessProbe } = readContainer(one);
    expect(ports).toEqual([{ name: 'http', containerPort: readConfig(readEnvironment(one)).port }]);
    const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz'].map((at) => ({ path: at, port: 'http' })));
    expect(readPod(one).topologySpreadConstraints).toHaveLength(2);
  }
  for (const one of workloads) expect(readPod(one).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(15);
  expect(read('src/http/health.ts')).toMatch(/'\/healthz'[\s\S]*'\/readyz'/);
});

test('pods run as the user of the image, with nothing that they do not need', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
  for (const one of workloads) {
    const { securityContext, resources, volumeMounts } = readContainer(one);
    expect(readPod(one).securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(resources).sort()).toEqual(['limits', 'requests']);
    const claims = one.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
    const volumes = [...readPod(one).volumes.map(({ name }) => name), ...claims].sort();
    expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes);
    // All that it writes besides.
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(['/tmp', config.DATA_DIR]));
  }
});

test('services and budgets select pods that there are', () => {
  const labels = served.map((one) => JSON.stringify(one.spec.template.metadata.labels));
  for (const one of ofKind('Service')) expect(labels).toContain(JSON.stringify(one.spec.selector));
  const budgets = ofKind('PodDisruptionBudget').map((one) => JSON.stringify(one.spec.selector.matchLabels));
  expect(budgets.sort()).toEqual(labels.sort());
  const services = ofKind('Service').map(({ metadata }) => metadata.name);
  expect(services).toContain(ofKind('StatefulSet')[0]?.spec.serviceName);
});

test('the job runs a command of the image', () => {
  const [job] = ofKind('Job') as [Manifest];
  expect(readContainer(job).command).toEqual(['node', 'dist/cli.js', 'migrate']);
  expect(read('src/commands/serve.ts')).toContain(".command('migrate')");
});
