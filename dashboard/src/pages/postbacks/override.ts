/** What an override of a project says: the form of it, and what the service takes. */
import type { Override, OverrideSettings } from '../../api/postbacks';

export const MODES = ['own', 'other', 'none'] as const;
export type Mode = (typeof MODES)[number];

/** Whether a partner is sent its own request, another one, or nothing. */
export function readMode({ enabled, url }: Pick<Override, 'enabled' | 'url'>): Mode {
  if (!enabled) return 'none';
  return url === null ? 'own' : 'other';
}

/** An override without what the service adds to it. */
export const pickSettings = ({ method, url, headers, body, withhold, enabled }: Override): OverrideSettings => ({
  method,
  url,
  headers,
  body,
  withhold,
  enabled,
});

/** How the routes name an override. */
export const overrideKey = (id: number, { event, partner_id }: Pick<Override, 'event' | 'partner_id'>) => ({
  path: { id, event },
  query: partner_id === null ? {} : { partner_id },
});
