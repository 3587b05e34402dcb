/** ClickHouse's compressed blocks: their hash, LZ4, and what is refused. */
import { cityHash128 } from '../../../src/embedded/clickhouse/city-hash';
import { packBlocks, unpackBlocks } from '../../../src/embedded/clickhouse/compressed-blocks';

describe('cityHash128', () => {
  test('the published vector', () => {
    expect(cityHash128(Buffer.from('Moscow')).toString('hex')).toBe('6ddf3eeebf17df2e559d40c605f3ae22');
  });

  // Bytes i * 7 + length, as ClickHouse's driver for Java hashes them; each length has rules of its own.
  test.each([
    [0, '2b9ac064fc9df03d291ee592c340b53c'],
    [3, '8669a11d6bfa08312d6150c2f01b3032'],
    [7, 'e32446bce155694dd09b4c5f018c2e25'],
    [8, '985ae3e86c34eb9fbad8455518f1f9f2'],
    [15, 'ffc7a10a47b64314594c685a8398f970'],
    [16, '3d930c8990287e4ec7770444d611659b'],
    [17, '4ef4c7b104ede9f0ae31544dd0c6178a'],
    [33, '11ffe63b615e068a46a80c8146255435'],
    [40, '34718b73f593dc6708ddbf2759214220'],
    [127, '2c7d14dc18cd84242e0163390cb41e46'],
    [128, '901c915690f7bf519f1b9cbcf997a828'],
    [143, '26d3b014d4b40623956851eb41bd80e9'],
    [144, '227fbc9d0276a19b08a16461a4ae9ca9'],
    [145, '1adfb6aebd2142592527e0ec8ba6b49e'],
    [200, '5b0d7aa5bbd307af54449d514fef8109'],
    [300, '1c08189ada619b3c7b5c95315c97d9f9'],
    [700, '0b5a98b4fb67a730ee9e3dfb8b4b1c42'],
  ])('%d bytes', (length, hash) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 7 + length);
    expect(cityHash128(bytes).toString('hex')).toBe(hash);
    // Wherever in memory they are.
    expect(cityHash128(Buffer.concat([Buffer.from('abc'), bytes]).subarray(3)).toString('hex')).toBe(hash);
  });
});

async function unpacked(bytes: Buffer, step = bytes.length): Promise<Buffer> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += step) yield await Promise.resolve(bytes.subarray(at, at + step));
  }
  const data: Buffer[] = [];
  for await (const piece of unpackBlocks(chunks())) data.push(piece);
  return Buffer.concat(data);
}

function block(method: number, size: number, packed: Buffer): Buffer {
  const body = Buffer.concat([Buffer.alloc(9), packed]);
  body.writeUInt8(method, 0);
  body.writeUInt32LE(body.length, 1);
  body.writeUInt32LE(size, 5);
  return Buffer.concat([cityHash128(body), body]);
}

describe('blocks', () => {
  test.each([0, 1, 14, 15, 16, 269, 270, 271, 70_000, 1_048_577])(
    '%d bytes come back, in whatever pieces they arrive',
    async (length) => {
      const data = Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31) % 251));
      const packed = packBlocks(data);
      expect((await unpacked(packed)).equals(data)).toBe(true);
      expect((await unpacked(packed, length < 1000 ? 1 : 65_536)).equals(data)).toBe(true);
    },
  );

  // As the library lz4 packs 24 times abc, the bytes from 0 to 39, and 300 times z.
  const LZ4 =
    '3f616263030032ff1a000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223242526277a0100ff1450' +
    '7a7a7a7a7a';
  const DATA = Buffer.concat([
    Buffer.from('abc'.repeat(24)),
    Buffer.from(Uint8Array.from({ length: 40 }, (_, index) => index)),
    Buffer.from('z'.repeat(300)),
  ]);

  test('LZ4 that repeats, and no compression', async () => {
    expect((await unpacked(block(0x82, DATA.length, Buffer.from(LZ4, 'hex')))).equals(DATA)).toBe(true);
    expect((await unpacked(block(0x02, DATA.length, DATA))).equals(DATA)).toBe(true);
    const two = Buffer.concat([block(0x02, 3, Buffer.from('abc')), block(0x82, DATA.length, Buffer.from(LZ4, 'hex'))]);
    expect((await unpacked(two, 7)).equals(Buffer.concat([Buffer.from('abc'), DATA]))).toBe(true);
  });

  test.each<[string, Buffer, number]>([
    ['plain text', Buffer.from('SELECT 1'), 271],
    ['longer plain text', Buffer.from('SELECT 1 /* which is longer than a header of 25 bytes */'), 271],
    ['a block that ends early', packBlocks(Buffer.from('SELECT 1')).subarray(0, -1), 271],
    ['a changed byte', packBlocks(Buffer.from('SELECT 1')).fill('3', 33), 40],
    ['ZSTD', block(0x90, 3, Buffer.from('abc')), 271],
    ['no compression of another size', block(0x02, 4, Buffer.from('abc')), 271],
    ['LZ4 of a smaller size', block(0x82, DATA.length - 1, Buffer.from(LZ4, 'hex')), 271],
    ['LZ4 of a greater size', block(0x82, DATA.length + 1, Buffer.from(LZ4, 'hex')), 271],
    ['a repetition of nothing', block(0x82, 8, Buffer.from('0001000000', 'hex')), 271],
    ['a repetition from before the beginning', block(0x82, 8, Buffer.from('1061050000', 'hex')), 271],
    ['literals that are not there', block(0x82, 20, Buffer.from('f0ff', 'hex')), 271],
    ['a gigabyte', block(0x82, 2 ** 30, Buffer.from('10', 'hex')), 271],
  ])('%s is refused', async (_, bytes, code) => {
    await expect(unpacked(bytes)).rejects.toMatchObject({ code, httpStatus: 400 });
  });
});
