/** The examples of docs/sending.md, as they stand there, against the service; a language that is absent says so. */
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startGateway } from '../../support/s2s/gateway';
import { sharedService } from '../../support/shared-service';
import { root, temporaryFolder } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';
import { TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('sending');
const folder = temporaryFolder();
beforeAll(() => service.apply(own.document(workspace)));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const text = fs.readFileSync(path.join(root, 'docs', 'sending.md'), 'utf8');
const isThere = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;

const EXAMPLES = [
  { language: 'sh', prefix: 'curl', command: ['bash'], version: ['curl', '--version'] },
  { language: 'python', prefix: 'python', command: ['python3'], version: ['python3', '--version'] },
  { language: 'go', prefix: 'go', command: ['go', 'run'], version: ['go', 'version'] },
] as const;

describe.each(EXAMPLES)('$language, which must be installed', ({ language, prefix, command, version }) => {
  const [program, argument] = version;
  (isThere(program, argument) ? test : test.skip)(
    'sends its records, and again where the service was away',
    async () => {
      const gateway = await startGateway(service, (number) => (number === 0 ? { status: 503 } : undefined));
      const example = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(text)?.[1] ?? '';
      expect(example).toContain(`${prefix}-`);
      // The campaign is found by the suite's own domain: other suites have the app, too.
      const file = path.join(folder, `send.${language}`);
      fs.writeFileSync(file, example.replaceAll('"app_id": "com.acme.shop"', `"d": "${own('go.acme.example')}"`));
      const [run, ...args] = command;
      await promisify(execFile)(run, [...args, file], {
        env: { ...process.env, ADTRAIL_URL: gateway.url, ADTRAIL_TOKEN: own(TOKEN) },
      });
      gateway.stop();
      expect(gateway.batches).toHaveLength(2);
      const rows = await service.rows<{ tid: string }>(
        `SELECT tid FROM analytics.clicks
     WHERE startsWith(tid, '${prefix}-') AND d = '${own('go.acme.example')}' ORDER BY tid`,
      );
      expect(rows.map(({ tid }) => tid)).toEqual([`${prefix}-1`, `${prefix}-2`]);
    },
  );
});
