/** `adtrail listen` as a command; what it does with requests is in test/unit/deliveries/listen.test.ts. */
import { adtrail } from '../../support/operations/command';
import { eventually, freePort } from '../../support/service';

test('it listens until Ctrl-C', async () => {
  const port = await freePort();
  let pid = 0;
  const ended = adtrail(['listen', '--port', String(port), '--answer', '410'], {}, (of) => (pid = of));
  const status = await eventually('it listens', () =>
    fetch(`http://127.0.0.1:${port}/pb?tid=1`).then(
      (answer) => answer.status,
      () => undefined,
    ),
  );
  expect(status).toBe(410);
  process.kill(pid, 'SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/listening at .*\n[^]*^#1 [\d:.]+ GET \/pb\n {2}tid = 1\n {2}answered 410$/m);
});

test.each([
  [['--port', '99999'], 'takes a port from 0 to 65535'],
  [['--answer', '99'], 'takes a status from 200 to 599, or hang'],
  [['--secret', 'abc'], 'adtrail: --secret takes whsec_ and Base64 of 24 to 64 bytes.'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await adtrail(['listen', ...args]);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
