/** Encrypts what a database or a backup keeps and nobody is to read there, in its log or in its pages. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const MARK = 'sealed:';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Seal {
  readonly seal: (value: string) => string;
  /** @throws SealError for what was not sealed with the same secret for the same purpose. */
  readonly open: (sealed: string) => string;
}

/** What was sealed cannot be read with the keys that this process has. */
export class SealError extends Error {}

const OTHER_KEY = 'it was sealed with another SEAL_KEY than this process has';

/** Whether a text is one that `seal` has made. */
export const isSealed = (text: string) => text.startsWith(MARK);

const derive = (secret: string, what: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, '', `adtrail ${what}`, bytes));

/** What texts begin with that were sealed with a secret: by it they are told apart without being opened. */
const fingerprintMark = (secret: string) => `${MARK}${derive(secret, 'fingerprint', 4).toString('hex')}:`;

/** Each purpose has its own key, which is derived from the one secret. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = derive(secret, purpose, 32);
  const mark = fingerprintMark(secret);
  return {
    seal(value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return mark + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealed) {
      // Earlier versions named no key.
      const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (error) {
        throw new SealError(OTHER_KEY, { cause: error });
      }
    },
  };
}

/** What is sealed at rest; each has its own key. */
export type Purpose =
  | 'second factors'
  | 'webhook secrets'
  | 'postback secrets'
  | 'postback headers'
  | 'erasure requests'
  | 'receivers'
  | 'export keys'
  | 'unsubscribe links'
  | 'oidc'
  | 'backups';

/** Seals with the key of the installation. */
export interface Seals {
  /** What the texts of its key begin with. */
  readonly mark: string;
  /** Opens what was sealed with a former secret too; what was never sealed stays as it is. */
  readonly of: (purpose: Purpose) => Seal;
}

/** `former` are secrets that texts may have been sealed with before `key`. */
export function createSeals(key: string, former: readonly string[]): Seals {
  const made = new Map<Purpose, Seal>();
  const make = (purpose: Purpose): Seal => {
    const current = createSeal(key, purpose);
    const all = [current, ...former.map((secret) => createSeal(secret, purpose))];
    return {
      seal: current.seal,
      open(text) {
        if (!isSealed(text)) return text;
        for (const one of all) {
          try {
            return one.open(text);
          } catch {
            // Another one may fit.
          }
        }
        throw new SealError(OTHER_KEY);
      },
    };
  };
  return {
    mark: fingerprintMark(key),
    of(purpose) {
      const seal = made.get(purpose) ?? make(purpose);
      made.set(purpose, seal);
      return seal;
    },
  };
}
