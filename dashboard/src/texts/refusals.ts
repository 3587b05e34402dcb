/** Why requests of partners are refused, in words, and what helps (docs/contract/s2s.md rejections). */
import { REASONS } from '../api/generated-s2s';

export interface RefusalText {
  readonly label: string;
  readonly help: string;
}

const texts: Readonly<Record<string, RefusalText>> = REASONS;

/** The text of any reason, of one that is not known here too. */
export const refusalText = (reason: string): RefusalText =>
  (Object.hasOwn(texts, reason) ? texts[reason] : undefined) ?? { label: reason, help: '' };

export const refusalTable = {
  title: 'Refused, by reason',
  reason: 'Reason',
  requests: 'Requests',
  share: 'Share',
  shareAbout: 'Of all refused requests',
  help: 'What to do',
  none: 'Nothing was refused',
  noneText: 'Every request of this period was accepted.',
};
