/** Files in a bucket of Amazon S3, or of anything that speaks its protocol. */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NotFound,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { meter, quoted, type FileSum, type Store } from './store';

export interface S3Access {
  /** Address of the service, for example https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly key: string;
  readonly secret: string;
}

/** How names of hosts are resolved, and refused. */
export interface S3Connections {
  readonly lookup?: LookupFunction;
}

/** A bucket that does not answer fails after that, and is asked again by the client twice. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
/** What one request deletes at most. */
const MOST_DELETED = 1_000;

export class S3Store implements Store {
  private readonly client: S3Client;

  constructor(
    private readonly bucket: string,
    private readonly prefix: string,
    private readonly access: S3Access,
    connections?: S3Connections,
  ) {
    this.client = new S3Client({
      endpoint: access.endpoint,
      region: access.region,
      forcePathStyle: true,
      credentials: { accessKeyId: access.key, secretAccessKey: access.secret },
      ...(connections && {
        requestHandler: {
          connectionTimeout: CONNECT_MS,
          requestTimeout: ANSWER_MS,
          httpAgent: new http.Agent({ keepAlive: true, ...connections }),
          httpsAgent: new https.Agent({ keepAlive: true, ...connections }),
        },
      }),
      // Others than Amazon's own service know no checksums that nobody asked for.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  get name(): string {
    return `s3://${this.bucket}/${this.prefix}`;
  }

  async files(under: string): Promise<string[]> {
    const files: string[] = [];
    const place = { Bucket: this.bucket, Prefix: `${this.objectKey(under)}${under === '' ? '' : '/'}` };
    for await (const page of paginateListObjectsV2({ client: this.client }, place))
      for (const { Key = '' } of page.Contents ?? []) files.push(Key.slice(this.objectKey('').length));
    return files.sort();
  }

  has(file: string): Promise<boolean> {
    return this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: this.objectKey(file) })).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotFound) return false;
        throw error;
      },
    );
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    const place = { Bucket: this.bucket, Prefix: this.objectKey(''), Delimiter: '/' };
    for await (const page of paginateListObjectsV2({ client: this.client }, place))
      for (const { Prefix = '' } of page.CommonPrefixes ?? [])
        names.push(Prefix.slice(this.objectKey('').length).replace(/\/$/, ''));
    return names;
  }

  async write(file: string, data: Readable): Promise<FileSum> {
    const through = meter();
    data.once('error', (error) => through.destroy(error));
    const params = { Bucket: this.bucket, Key: this.objectKey(file), Body: data.pipe(through) };
    await new Upload({ client: this.client, params }).done();
    return through.sum();
  }

  async read(file: string): Promise<Readable> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: this.objectKey(file) }));
    return Body as Readable;
  }

  async remove(under: string): Promise<void> {
    const files = await this.files(under);
    for (let i = 0; i < files.length; i += MOST_DELETED) {
      const Objects = files.slice(i, i + MOST_DELETED).map((file) => ({ Key: this.objectKey(file) }));
      await this.client.send(new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects, Quiet: true } }));
    }
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

  private objectKey(at: string): string {
    const prefix = this.prefix.replace(/\/$/, '');
    return prefix === '' ? at : `${prefix}/${at}`;
  }
}
