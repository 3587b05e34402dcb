/** The command `adtrail replay-postbacks`: asks a running service to send messages of a project once more. */
import { askService, withAdminToken } from '../lib/ask-service';
import type { AdminTarget } from './target';

/** What is sent, as the body of `POST /admin/v1/projects/{id}/postbacks/replay` names it. */
export type ReplayFields = Readonly<Record<string, string | number | boolean>>;

/**
 * Asks again until there is nothing left. Resolves with the number of messages; without `send` nothing is sent.
 *
 * @throws StartError when the service refuses or does not answer.
 */
export async function replayPostbacks(
  target: AdminTarget,
  project: number,
  fields: ReplayFields,
  send: boolean,
): Promise<number> {
  let messages = 0;
  for (let after: string | undefined; ;) {
    const body = { ...fields, dry_run: !send, ...(after === undefined ? {} : { after }) };
    const answer = await ask(target, project, body);
    messages += answer.sent ?? answer.would_send ?? 0;
    if (answer.next === undefined) return messages;
    after = answer.next;
  }
}

interface Answer {
  readonly would_send?: number;
  readonly sent?: number;
  readonly next?: string;
}

const ask = ({ service, adminToken }: AdminTarget, project: number, body: object) =>
  askService<Answer>(service, `/admin/v1/projects/${project}/postbacks/replay`, {
    method: 'POST',
    headers: withAdminToken(adminToken),
    body,
  });
