/** IPv4 addresses as unsigned 32-bit numbers: strict parsing, and which of them are public (docs/contract/s2s.md). */

const BLOCKS_NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4', // holds broadcast
].map((cidr) => {
  const [base = '', bits] = cidr.split('/');
  return { base: parseIpv4(base), mask: (0xffffffff << (32 - Number(bits))) >>> 0 };
});

/**
 * Four decimal octets and nothing else: no leading zeros, octal, short forms, ports or spaces (docs/contract/s2s.md).
 * Null when `text` is anything else. A scan without allocation, because every S2S request passes here.
 */
export function parseIpv4(text: string): number | null {
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (digits > 0 && octet === 0) return null;
      octet = octet * 10 + code - 48;
      if (octet > 255) return null;
      digits++;
    } else {
      if (code !== 46 || digits === 0 || dots === 3) return null;
      value = value * 256 + octet;
      octet = 0;
      digits = 0;
      dots++;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : null;
}

/** The dotted form of an address: 16909060 is `1.2.3.4`. */
export function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

/**
 * Whether an IPv4 address is public: everything that docs/contract/s2s.md does not list as "not public" (RFC 5737
 * counts as public).
 */
export function isPublicIpv4(value: number): boolean {
  for (const { base, mask } of BLOCKS_NOT_PUBLIC) {
    if ((value & mask) >>> 0 === base) return false;
  }
  return true;
}
