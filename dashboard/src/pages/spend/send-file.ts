/** Sends a file of spend; XMLHttpRequest says how much of it is sent, which fetch does not. */
import { ApiFailure } from '../../api/client';
import type { components } from '@adtrail/client';

export type Uploaded = components['schemas']['UploadedSpend'];
export type Columns = components['schemas']['SpendColumns'];
export type Mapping = components['schemas']['SpendMapping'];

interface Options {
  readonly projectId: number;
  readonly file: File;
  /** The rows are checked, and nothing is stored. */
  readonly dryRun: boolean;
  /** How it is read; none for a file with our own columns. */
  readonly mapping: Mapping | undefined;
  /** From 0 to 100. */
  readonly onProgress: (percent: number) => void;
}

/** The service takes names up to this length. */
const MAX_NAME = 255;

export function sendFile({ projectId, file, dryRun, mapping, onProgress }: Options): Promise<Uploaded> {
  const query = new URLSearchParams({ dry_run: String(dryRun), file_name: file.name.slice(-MAX_NAME) });
  if (mapping) query.set('mapping', JSON.stringify(mapping));
  return send<Uploaded>(`/collect/v1/spend/csv?${query.toString()}`, projectId, file, onProgress);
}

/** What a file is made of, and how it would be read. */
export const askColumns = (projectId: number, file: File, onProgress: Options['onProgress']) =>
  send<Columns>('/collect/v1/spend/csv/columns', projectId, file, onProgress);

function send<T>(at: string, projectId: number, file: Blob, onProgress: Options['onProgress']): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', at);
    request.setRequestHeader('project-id', String(projectId));
    request.setRequestHeader('Content-Type', 'text/csv');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * 100 : 0);
    request.onerror = () => reject(new ApiFailure(0, ''));
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 200) resolve(body as unknown as T);
      else reject(failure(request, body));
    };
    request.send(file);
  });
}

function failure({ status, statusText }: XMLHttpRequest, body: Record<string, unknown>): ApiFailure {
  return new ApiFailure(status, typeof body.msg === 'string' ? body.msg : statusText, body);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
