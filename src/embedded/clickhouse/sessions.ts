/** Sessions of clients (`session_id`): nothing is kept in one, and its queries run one after the other. */
import { ClickHouseException } from './errors';

/** As the server has it unless configured. */
const LONGEST_SECONDS = 3600;

export class Sessions {
  private readonly busy = new Set<string>();

  /** Begins a query of the session that is named, if one is; returns what ends it. Throws while another one runs. */
  enter(user: string, parameters: URLSearchParams): () => void {
    const id = parameters.get('session_id') ?? '';
    if (id === '') return () => undefined;
    checkTimeout(parameters.get('session_timeout') ?? '');
    const session = `${user}\n${id}`;
    if (this.busy.has(session))
      throw new ClickHouseException(
        373,
        'SESSION_IS_LOCKED',
        `Session ${id.slice(0, 200)} is locked by a concurrent client`,
      );
    this.busy.add(session);
    let isOver = false;
    return () => {
      // It may have begun another one since.
      if (!isOver) this.busy.delete(session);
      isOver = true;
    };
  }
}

function checkTimeout(seconds: string): void {
  if (seconds === '' || (/^\d+$/.test(seconds) && Number(seconds) <= LONGEST_SECONDS)) return;
  throw new ClickHouseException(
    374,
    'INVALID_SESSION_TIMEOUT',
    `Invalid session timeout: it takes a number of seconds up to ${LONGEST_SECONDS}`,
  );
}
