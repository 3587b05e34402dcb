/** Sends a file of spend; XMLHttpRequest says how much of it is sent, which fetch does not. */
import { ApiFailure } from '../../api/client';
import type { components } from '../../api/generated';

export type Uploaded = components['schemas']['UploadedSpend'];

interface Options {
  readonly projectId: number;
  readonly file: Blob;
  /** The rows are checked, and nothing is stored. */
  readonly dryRun: boolean;
  /** From 0 to 100. */
  readonly onProgress: (percent: number) => void;
}

export function sendFile({ projectId, file, dryRun, onProgress }: Options): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/collect/v1/spend/csv?dry_run=${String(dryRun)}`);
    request.setRequestHeader('project-id', String(projectId));
    request.setRequestHeader('Content-Type', 'text/csv');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? (loaded / total) * 100 : 0);
    request.onerror = () => reject(new ApiFailure(0, ''));
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 200) resolve(body as unknown as Uploaded);
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
