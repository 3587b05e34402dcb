/** What is stored of an address, by STORE_IP. */
import { ipStorage, truncateIp } from '../../../src/net/stored-ip';

test.each([
  ['203.0.113.7', '203.0.113.0'],
  ['255.255.255.255', '255.255.255.0'],
  ['2001:db8:1234:5678::1', '2001:db8:1234::'],
  ['2001:db8:abcd:ef01:2345:6789:abcd:ef01', '2001:db8:abcd::'],
])('%s belongs to the network %s', (ip, network) => expect(truncateIp(ip)).toBe(network));

test('full: as it is; nothing stays nothing in every mode', () => {
  expect(ipStorage('full', 's')('203.0.113.7')).toEqual({ ip: '203.0.113.7', hash: '' });
  for (const mode of ['full', 'truncated', 'hashed'] as const)
    expect(ipStorage(mode, 's')('')).toEqual({ ip: '', hash: '' });
});

test('truncated: the network is shown, and neighbours are still told apart', () => {
  const store = ipStorage('truncated', 's');
  const [one, same, neighbour] = [store('203.0.113.7'), store('203.0.113.7'), store('203.0.113.8')];
  expect(one).toEqual(same);
  expect(one.ip).toBe(neighbour.ip);
  expect(one.hash).not.toBe(neighbour.hash);
});

test('hashed: nothing of the address is left, and the secret makes the hash', () => {
  const { ip, hash } = ipStorage('hashed', 's')('203.0.113.7');
  expect([ip.length, hash]).toEqual([32, '']);
  expect(ipStorage('hashed', 'other')('203.0.113.7').ip).not.toBe(ip);
  expect(ipStorage('truncated', 's')('203.0.113.7').hash).toBe(ip);
});
