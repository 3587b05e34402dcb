/** What the URL of the page of funnels says: the whole question. */
import { choice, filterSearch, periodSearch, texts, Type } from '../../search';

export const WINDOWS = ['7', '1', '3', '14', '30', '60', '90'] as const;

export const funnelSearch = Type.Object({
  ...periodSearch,
  ...filterSearch,
  /** Undefined: those that the page begins with. */
  steps: texts(8),
  order: choice(['open', 'strict']),
  /** In days. */
  window: choice(WINDOWS),
  /** What rows are grouped by. */
  by: choice(['campaign', 'country', 'channel', 'network', 'partner', 'platform', 'none']),
});
