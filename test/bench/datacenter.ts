/**
 * How long the look-up of an address in the data-centre ranges takes: it stands in the way of every CTV impression
 * (docs/contract/s2s.md).
 */
import path from 'node:path';
import { loadDatacenterRanges } from '../../src/net/datacenter';
import { parseIp } from '../../src/net/ip';

const ADDRESSES = 100_000;
const ROUNDS = 20;

const ranges = loadDatacenterRanges({
  extraFile: undefined,
  builtFile: path.resolve(__dirname, '..', '..', 'dist', 'net', 'datacenter-ranges.json'),
});
const random = (below: number) => Math.floor(Math.random() * below);
const ipv4 = () => Array.from({ length: 4 }, () => random(256)).join('.');
const ipv6 = () => ['2a01', ...Array.from({ length: 7 }, () => random(65_536).toString(16))].join(':');

for (const [kind, make] of [
  ['IPv4', ipv4],
  ['IPv6', ipv6],
] as const) {
  const addresses = Array.from({ length: ADDRESSES }, () => parseIp(make())?.ip ?? '');
  let listed = 0;
  const started = process.hrtime.bigint();
  for (let round = 0; round < ROUNDS; round++) for (const ip of addresses) if (ranges.contains(ip)) listed += 1;
  const each = Number(process.hrtime.bigint() - started) / (ROUNDS * ADDRESSES);
  console.log(
    `${kind}: ${each.toFixed(0)} ns a look-up (goal: well under 10,000), ` +
      `${((100 * listed) / (ROUNDS * ADDRESSES)).toFixed(0)} % of the addresses listed`,
  );
}
