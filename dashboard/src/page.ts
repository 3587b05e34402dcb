/** What a page says of itself; `pages.ts` lists them all. */
import type { TObject } from '@sinclair/typebox';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Permission } from './api/people';

/** Where a page lives: below /projects/{id}, /partners/{id} or /installation. */
export type Area = 'project' | 'partner' | 'installation';

export interface PageParts {
  /** In the navigation; the page's own heading may say more. */
  readonly title: string;
  /** Without an icon a page is not in the navigation: others lead to it. */
  readonly icon?: Icon;
  /** Under which heading of the navigation it stands (`texts.navigation.groups`). */
  readonly group?: 'reports' | 'traffic' | 'data' | 'settings';
  /** Who lacks it neither sees the page in the navigation nor opens it. */
  readonly permission: Permission;
  /** The page itself, the default export of its own module, loaded when it is first opened. */
  readonly load: () => Promise<{ default: () => ReactNode }>;
}

export interface Page extends PageParts {
  readonly area: Area;
  /** Below its area, for example `overview` or `campaigns/$campaignId`. */
  readonly path: string;
  /** Everything that its URL can say besides the path. */
  readonly search: TObject | undefined;
}
