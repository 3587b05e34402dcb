/** Calls that the dashboard gives to paste into a shell hold what others sent, and run nothing of it. */
import { spawnSync } from 'node:child_process';
import { curlCall } from '../../../dashboard/src/shell';

/** The arguments that a shell gives to curl. */
function readWords(call: string): string[] {
  const shell = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${call}`], { encoding: 'utf8' });
  expect(shell.stderr).toBe('');
  return shell.stdout.split('\0').slice(0, -1);
}

test.each([
  "x';touch /tmp/x;'",
  "''",
  "'",
  '$(touch /tmp/x)',
  '`touch /tmp/x`',
  '"; exit 1; "',
  'a\nb',
  '\\',
  "\\'",
  '-o /etc/passwd',
  '!!',
])('%p stays one word', (text) => {
  const address = `https://adtrail.example/${text}`;
  expect(readWords(curlCall(address, { headers: [`a: ${text}`, 'b: c'], body: text }))).toEqual([
    address,
    '-H',
    `a: ${text}`,
    '-H',
    'b: c',
    '-d',
    text,
  ]);
});
