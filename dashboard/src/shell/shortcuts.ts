/** The keys that lead to pages: `g`, then a letter. */
import type { Area, Page } from '../page';

/** By area, the letter of each page; a page that the user may not open has none. */
export const LETTERS: Readonly<Record<Area, Readonly<Record<string, string>>>> = {
  project: {
    overview: 'o',
    explore: 'e',
    boards: 'b',
    campaigns: 'c',
    retention: 'r',
    funnel: 'f',
    web: 'w',
    installs: 'i',
    alerts: 'a',
    links: 'l',
    spend: 's',
    partners: 'p',
    sql: 'q',
    messages: 'm',
  },
  partner: { overview: 'o', campaigns: 'c', installs: 'i', postbacks: 'p' },
  installation: {},
};

/** How long the letter may come after the `g`. */
export const THEN_MS = 1_500;

/** Whether keys are text where they are pressed now, or somebody chooses in a menu, list or dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=menu], [role=listbox]') !== null;
}

/** The pages that have a letter, in the order of the navigation. */
export const listShortcuts = (pages: readonly Page[]): { readonly letter: string; readonly page: Page }[] =>
  pages.flatMap((page) => {
    const letter = LETTERS[page.area][page.path];
    return letter === undefined ? [] : [{ letter, page }];
  });
