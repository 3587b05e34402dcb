/** What the URL of the log of messages says. */
import { choice, optionalText, Type } from '../../search';

export const OUTCOMES = ['any', 'sent', 'retry', 'dead', 'dropped', 'test'] as const;
export const KINDS = ['any', 'postback', 'webhook'] as const;
export const SEARCH_BY = ['install', 'tid', 'campaign', 'message', 'destination'] as const;
const DAY = '^\\d{4}-\\d{2}-\\d{2}$';

export const messagesSearch = Type.Object({
  outcome: choice(OUTCOMES),
  kind: choice(KINDS),
  by: choice(SEARCH_BY),
  search: optionalText('^[^]{1,255}$'),
  from: optionalText(DAY),
  to: optionalText(DAY),
});
