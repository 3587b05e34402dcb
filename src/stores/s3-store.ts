/** Files in a bucket of Amazon S3, or of anything that speaks its protocol. */
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type { LookupFunction } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { meter, quoted, type FileSum, type Store } from './store';

// Loaded by the first bucket: most processes have none, and their start would take a tenth longer.
const load = createRequire(__filename);
const sdk = () => load('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');
const storage = () => load('@aws-sdk/lib-storage') as typeof import('@aws-sdk/lib-storage');

export interface S3Access {
  /** Address of the service, for example https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly key: string;
  readonly secret: string;
}

export interface S3Connections {
  /** How names of hosts are resolved, and refused. */
  readonly lookup?: LookupFunction;
  /** Aborted when nothing is to be asked any more: what is under way fails with its reason. */
  readonly signal?: AbortSignal;
  /** Pages of a thousand that are listed at most, 1,000 unless it says otherwise. */
  readonly mostPages?: number;
}

/**
 * A bucket that does not answer fails after that, and is asked again by the client twice: what takes bytes, which are
 * 5 MB at a time, and what takes none.
 */
const CONNECT_MS = 10_000;
const TAKE_MS = 60_000;
const ANSWER_MS = 15_000;
const MOST_PAGES = 1_000;
/** Requests that remove at once. */
const REMOVING = 16;
const SMALL = { requestTimeout: ANSWER_MS };

export class S3Store implements Store {
  private readonly client: S3Client;
  private readonly signal: AbortSignal | undefined;
  private readonly mostPages: number;
  /** Rejects once the signal is aborted. */
  private readonly aborted: Promise<never>;

  constructor(
    private readonly bucket: string,
    private readonly prefix: string,
    private readonly access: S3Access,
    { lookup, signal, mostPages = MOST_PAGES }: S3Connections = {},
  ) {
    const agent = { keepAlive: true, ...(lookup && { lookup }) };
    this.client = new (sdk().S3Client)({
      endpoint: access.endpoint,
      region: access.region,
      forcePathStyle: true,
      credentials: { accessKeyId: access.key, secretAccessKey: access.secret },
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: TAKE_MS,
        throwOnRequestTimeout: true,
        socketTimeout: TAKE_MS,
        httpAgent: new http.Agent(agent),
        httpsAgent: new https.Agent(agent),
      },
      // Others than Amazon's own service know no checksums that nobody asked for.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    this.signal = signal;
    this.mostPages = mostPages;
    this.aborted = new Promise<never>((_, reject) => {
      const end = () => reject(signal?.reason as Error);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
    this.aborted.catch(() => undefined);
    // Each attempt, those of an upload included.
    this.client.middlewareStack.add((next) => (args) => Promise.race([next(args), this.aborted]), {
      step: 'finalizeRequest',
    });
  }

  get name(): string {
    return `s3://${this.bucket}/${this.prefix}`;
  }

  async files(under: string): Promise<string[]> {
    const files: string[] = [];
    for await (const page of this.list({ Prefix: `${this.objectKey(under)}${under === '' ? '' : '/'}` }))
      for (const { Key = '' } of page.Contents ?? []) files.push(Key.slice(this.objectKey('').length));
    return files.sort();
  }

  has(file: string): Promise<boolean> {
    const { HeadObjectCommand, NotFound } = sdk();
    return this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: this.objectKey(file) }), SMALL).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotFound) return false;
        throw error;
      },
    );
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const page of this.list({ Prefix: this.objectKey(''), Delimiter: '/' }))
      for (const { Prefix = '' } of page.CommonPrefixes ?? [])
        names.push(Prefix.slice(this.objectKey('').length).replace(/\/$/, ''));
    return names;
  }

  async write(file: string, data: Readable): Promise<FileSum> {
    const through = meter();
    data.once('error', (error) => through.destroy(error));
    const params = { Bucket: this.bucket, Key: this.objectKey(file), Body: data.pipe(through) };
    const { Upload } = storage();
    try {
      await Promise.race([new Upload({ client: this.client, params }).done(), this.aborted]);
    } catch (error) {
      // Nobody reads the rest.
      data.destroy();
      through.destroy();
      throw error;
    }
    return through.sum();
  }

  async read(file: string): Promise<Readable> {
    const command = new (sdk().GetObjectCommand)({ Bucket: this.bucket, Key: this.objectKey(file) });
    const body = (await this.client.send(command, SMALL)).Body as Readable;
    return this.signal ? addAbortSignal(this.signal, body) : body;
  }

  /** By one request for each: not all services take a list of objects, or not with the checksums of this client. */
  async remove(under: string): Promise<void> {
    const files = await this.files(under);
    const { DeleteObjectCommand } = sdk();
    for (let i = 0; i < files.length; i += REMOVING)
      await Promise.all(
        files
          .slice(i, i + REMOVING)
          .map((file) =>
            this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: this.objectKey(file) }), SMALL),
          ),
      );
  }

  clickhouse(at: string): string {
    const { endpoint, key, secret } = this.access;
    const url = `${endpoint.replace(/\/$/, '')}/${this.bucket}/${this.objectKey(at)}`;
    return `S3(${[url, key, secret].map(quoted).join(', ')})`;
  }

  withoutSecrets(text: string): string {
    return text.replaceAll(this.access.secret, '[HIDDEN]');
  }

  /** Ends idle connections. */
  close(): void {
    this.client.destroy();
  }

  /** @throws Error for a place without end. */
  private async *list(where: { readonly Prefix: string; readonly Delimiter?: string }) {
    let pages = 0;
    const place = { Bucket: this.bucket, ...where };
    for await (const page of sdk().paginateListObjectsV2({ client: this.client }, place, SMALL)) {
      pages += 1;
      if (pages > this.mostPages) throw new Error(`${where.Prefix} has more than ${this.mostPages} pages of objects`);
      yield page;
    }
  }

  private objectKey(at: string): string {
    const prefix = this.prefix.replace(/\/$/, '');
    return prefix === '' ? at : `${prefix}/${at}`;
  }
}
