/** What the URL of the log of messages says. */
import { oneOf, optionalText, Type } from '../../search';

export const OUTCOMES = ['any', 'sent', 'retry', 'dead', 'dropped', 'test'] as const;
export const SEARCH_BY = ['install', 'tid', 'message'] as const;

export const messagesSearch = Type.Object({
  outcome: oneOf(OUTCOMES),
  by: oneOf(SEARCH_BY),
  search: optionalText('^[^]{1,255}$'),
});
