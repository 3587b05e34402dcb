/** Whether a tracking domain is served over HTTPS: what browsers would say of it (docs/contract/workspace.md). */
import tls from 'node:tls';

export interface Certificate {
  readonly ok: boolean;
  readonly msg: string;
}

/** Looks at port 443 of an address as a browser would that opens the domain `name`. */
export type CertificateReader = (name: string, address: string) => Promise<Certificate>;

const WITHIN_MS = 2_000;

/** Errors of OpenSSL and of Node by what they come from, in words. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of nobody that browsers trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of nobody that browsers trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of nobody that browsers trust',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ECONNREFUSED: 'nothing answers on port 443',
  ENETUNREACH: 'nothing answers on port 443',
  EHOSTUNREACH: 'nothing answers on port 443',
};

/** Nothing is sent but the greeting of TLS, and nothing is read but the certificate. */
export const createCertificateReader =
  ({ port = 443, ca }: { readonly port?: number; readonly ca?: string } = {}): CertificateReader =>
  (name, address) =>
    new Promise((resolve) => {
      const socket = tls.connect({ host: address, port, servername: name, ...(ca === undefined ? {} : { ca }) });
      const end = (ok: boolean, msg: string) => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ ok, msg });
      };
      const timer = setTimeout(() => end(false, `${name} has no certificate: nothing answers on port 443.`), WITHIN_MS);
      socket.once('secureConnect', () => end(true, `${name} leads to this service over HTTPS.`));
      socket.once('error', ({ code }: NodeJS.ErrnoException) =>
        end(false, `${name} has no valid certificate: ${REASONS[code ?? ''] ?? 'HTTPS cannot be spoken with it'}.`),
      );
    });
