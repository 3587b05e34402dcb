/** Clicks loaded in bulk with their original times, over HTTP and by the command line. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installed } from '../../support/attribution/attribution';
import { SERVER_KEY } from '../../support/collect/collect-client';
import { finishImport, startImport } from '../../support/s2s/import';
import { ownNames } from '../../support/workspace/own-names';
import { accept, goodRequest, idByName, overHttp } from '../../support/s2s/s2s-client';
import { eventually, temporaryFolder } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

const [SHOP, ...OTHERS] = workspace.projects;
const DAY = 86_400_000;
const service = sharedService();
const own = ownNames('import-clicks');
let project: number;
let folder: string;

beforeAll(async () => {
  await service.apply(own.document({ ...workspace, projects: [{ ...SHOP, server_keys: [SERVER_KEY] }, ...OTHERS] }));
  project = await idByName(service, 'projects', own('Acme Shop'));
  folder = temporaryFolder();
  await eventually('names are copied', async () =>
    (await service.rows(`SELECT 1 FROM adtrail.campaigns WHERE display_id = 'nobodys' AND project_id = ${project}`))
      .length > 0
      ? true
      : undefined,
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

let number = 0;
const row = (more: object = {}) => ({
  c: 'AbC123',
  tid: `import-${(number += 1)}`,
  click_time: '2019-11-07T09:30:00Z',
  gaid: GAID,
  ...more,
});
const send = (clicks: unknown, at: number | string = project) =>
  service.admin('POST', `/projects/${at}/clicks`, { clicks });
const readRows = (tids: readonly string[]) =>
  service.rows<Record<string, unknown>>(
    `SELECT * FROM analytics.clicks WHERE tid IN (${tids.map((tid) => `'${tid}'`).join()}) ORDER BY tid`,
  );

describe('POST /admin/v1/projects/{id}/clicks', () => {
  test('stores clicks of any age as they were', async () => {
    const one = row({
      app_id: '1234567890',
      idfa: '6D92078A-8246-4BA4-AE5B-76104861E7DC',
      ip: '::ffff:203.0.113.9',
      ua: 'Mozilla/5.0',
      s2: 'a',
      s3: 'b',
      s4: 7,
    });
    expect(await send([one])).toEqual({ status: 200, body: { accepted: 1, rejected: [] } });
    expect(await readRows([one.tid])).toEqual([
      expect.objectContaining({
        kind: 'import',
        campaign_display_id: 'AbC123',
        partner_name: own('Mobi Ads'),
        click_time: '2019-11-07 09:30:00.000',
        received_at: '2019-11-07 09:30:00.000',
        bucket: new Date().toISOString().slice(0, 10),
        app_id: 'id1234567890',
        d: '',
        gaid: GAID,
        idfa: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
        ip: '203.0.113.9',
        ua: 'Mozilla/5.0',
        s2: 'a',
        s3: 'b',
        s4: '7',
      }),
    ]);
  });

  test('campaigns of others, inactive ones and those without partner are taken, whatever is switched off', async () => {
    const clicks = ['others', 'inactive', 'nobodys'].map((c) => row({ c, tid: `any-${c}` }));
    expect((await send(clicks)).body).toEqual({ accepted: 3, rejected: [] });
    const off = row({ c: 'off1' });
    expect((await send([off], await idByName(service, 'projects', own('Nothing On')))).body).toEqual({
      accepted: 1,
      rejected: [],
    });
    expect(await readRows(clicks.map(({ tid }) => tid))).toMatchObject([
      { partner_name: own('Mobi Ads') },
      { partner_name: '', partner_id: 0 },
      { partner_name: own('Other Ads') },
    ]);
  });

  test('refuses a wrong row, and takes the good ones beside it', async () => {
    const clicks = [row(), 7, row({ c: 'off1' }), row({ click_time: '2019-11-07' }), row()];
    expect(await send(clicks)).toEqual({
      status: 200,
      body: {
        accepted: 2,
        rejected: [
          { index: 1, reason: 'invalid_field', field: '' },
          { index: 2, reason: 'unknown_campaign', field: 'c' },
          { index: 3, reason: 'invalid_click_time', field: 'click_time' },
        ],
      },
    });
  });

  test('bodies of another form, unknown projects and strangers are refused', async () => {
    expect(await send({})).toEqual({ status: 400, body: { msg: 'clicks: must be an array of clicks', status: 400 } });
    expect((await send(Array.from({ length: 10_001 }, () => row()))).status).toBe(413);
    expect(await send([row()], 999_999)).toEqual({ status: 404, body: { msg: 'Project not found.', status: 404 } });
    expect((await send([row()], 'x')).status).toBe(404);
    expect((await service.request(`/admin/v1/projects/${project}/clicks`, { method: 'POST', body: '{}' })).status).toBe(
      401,
    );
  });

  test('a click has the ID that S2S gives it, and the first one stays', async () => {
    const request = (params: Record<string, string>) => ({ ...goodRequest('click', params), token: own(TOKEN) });
    const s2s = request({ s2: 'first' });
    const id = await accept(overHttp(service), s2s);
    const again = row({ tid: s2s.params.tid, s2: 'second' });
    expect((await send([again, again])).body).toEqual({ accepted: 2, rejected: [] });
    expect(await readRows([again.tid])).toMatchObject([{ click_id: id, kind: 's2s', s2: 'first' }]);

    const imported = row({ s2: 'first' });
    await send([imported, { ...imported, s2: 'second' }]);
    const later = await accept(overHttp(service), request({ tid: imported.tid, s2: 'third' }));
    expect(await readRows([imported.tid])).toMatchObject([
      { click_id: later, kind: 'import', s2: 'first', click_time: '2019-11-07 09:30:00.000' },
    ]);
  });

  test('counts as received at its own time: an install that came before the import is credited with it', async () => {
    const ip = '198.51.100.77';
    const time = Date.now() - 400 * DAY;
    const clicks = [
      row({ gaid: null, ip, click_time: time - 86_400_001 }),
      row({ gaid: null, ip, click_time: time - 3_600_000, app_id: 'com.acme.shop' }),
      row({ gaid: null, ip, click_time: time + 1 }),
    ];
    await send(clicks);
    expect(await installed(service, { ip, time: new Date(time).toISOString() }, own(SERVER_KEY))).toMatchObject({
      rule: 'ip_click',
      touch_to_install_ms: 3_600_000,
      candidates: [{ verdict: 'later_than_install' }, { verdict: 'credited' }, { verdict: 'outside_window' }],
    });
  });
});

describe('adtrail import clicks', () => {
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => startImport(['clicks', ...args], env);
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };
  const project_ = ['--project', own('Acme Shop')];
  const count = async (prefix: string) =>
    (
      await service.rows<{ n: number }>(`SELECT count() AS n FROM analytics.clicks WHERE startsWith(tid, '${prefix}')`)
    )[0]?.n;

  test('sends NDJSON, names rejected rows and lines that are none, and changes nothing the second time', async () => {
    const lines = Array.from({ length: 4_500 }, (_, i) => JSON.stringify(row({ tid: `ndjson-${i}` })));
    lines[10] = '{broken';
    lines[4_400] = JSON.stringify(row({ tid: 'ndjson-bad', c: 'nothing' }));
    const file = write('clicks.ndjson', `${lines.slice(0, 5).join('\r\n')}\n\n${lines.slice(5).join('\n')}`);
    for (let i = 0; i < 2; i++) {
      expect(await finishImport(run([file, ...project_, '--url', service.url]))).toEqual({
        code: 1,
        stdout: '4498 rows accepted, 2 rejected\n',
        stderr: 'row 11: invalid_row\nrow 4401: unknown_campaign c\n',
      });
      expect(await count('ndjson-')).toBe(4_498);
    }
    expect(fs.existsSync(`${file}.import`)).toBe(false);
  });

  test('sends CSV with a header, by the ID of the project and the address of the environment', async () => {
    const file = write(
      'clicks.CSV',
      '\uFEFFtid,c,click_time,ip,ua,gaid\r\n' +
        'csv-1,AbC123,2019-11-07T09:30:00Z,203.0.113.7,"Mozilla/5.0 (Linux; Android 14, ""x"")",\r\n' +
        `csv-2,AbC123,1573119000,203.0.113.7,,${GAID}\r\ncsv-3,AbC123\r\n`,
    );
    const { port, hostname } = new URL(service.url);
    expect(await finishImport(run([file, '--project', String(project)], { PORT: port, HOST: hostname }))).toEqual({
      code: 1,
      stdout: '2 rows accepted, 1 rejected\n',
      stderr: 'row 3: invalid_row\n',
    });
    expect(await readRows(['csv-1', 'csv-2', 'csv-3'])).toMatchObject([
      { tid: 'csv-1', ua: 'Mozilla/5.0 (Linux; Android 14, "x")', gaid: null },
      { tid: 'csv-2', ip: '203.0.113.7', gaid: GAID },
    ]);
  });

  test('killed in the middle, goes on where it stopped', async () => {
    const file = write(
      'many.ndjson',
      Array.from({ length: 20_000 }, (_, i) => JSON.stringify(row({ tid: `many-${i}` }))).join('\n'),
    );
    const child = run([file, ...project_, '--url', service.url]);
    const bookmark = `${file}.import`;
    await eventually('it has begun', () => (fs.existsSync(bookmark) ? true : undefined));
    child.kill('SIGKILL');
    await once(child, 'close');
    const { progress } = JSON.parse(fs.readFileSync(bookmark, 'utf8')) as { progress: { rows: number } };
    expect(progress.rows).toBeGreaterThan(0);
    expect(progress.rows).toBeLessThan(20_000);
    expect(await finishImport(run([file, ...project_, '--url', service.url]))).toEqual({
      code: 0,
      stdout: '20000 rows accepted, 0 rejected\n',
      stderr: `going on after row ${progress.rows}\n`,
    });
    expect(await count('many-')).toBe(20_000);
  });

  test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
    ['no such file', ['nowhere.csv', ...project_], {}, /^adtrail: Cannot read nowhere\.csv/],
    ['no such project', ['package.json', '--project', 'Nobody'], {}, /^adtrail: There is no project Nobody\./],
    [
      'a wrong token',
      ['package.json', ...project_],
      { ADMIN_TOKEN: 'a-token-of-somebody-else' },
      /^adtrail: Unauthorized access\./,
    ],
  ])('says what is wrong: %s', async (_, args, env, message) => {
    const { code, stderr } = await finishImport(run([...args, '--url', service.url], env));
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});
