/** Which pages a user has at a place, and where they start. */
import type { Me } from '../api/people';
import type { Area, Page } from '../page';
import { pages } from '../pages';
import { may, findPlace, type Place } from '../session';

export const mayOpen = (place: Place | undefined, page: Page): boolean =>
  place !== undefined && place.area === page.area && may(place, page.permission);

/** The address of a place, without a slash at its end. */
export function placeAddress({ area, id }: Pick<Place, 'area' | 'id'>): string {
  if (area === 'installation') return '/installation';
  return area === 'project' ? `/projects/${id}` : `/partners/${id}`;
}

/** The pages of the navigation at a place. */
export const pagesAt = (place: Place): Page[] => pages.filter((page) => page.icon && mayOpen(place, page));

/** Where a place begins: its first page. */
function startOfPlace(place: Place): string | undefined {
  const [first] = pagesAt(place);
  return first && `${placeAddress(place)}/${first.path}`;
}

/** Which place a user saw last, so that the next visit begins there. */
const LAST = 'adtrail.place';
export const rememberPlace = (place: Place): void => localStorage.setItem(LAST, placeAddress(place));

function lastPlace(me: Me): Place | undefined {
  const [, area, id] = (localStorage.getItem(LAST) ?? '').split('/');
  if (area === 'projects' && id) return findPlace(me, { projectId: id }, '');
  return area === 'partners' && id ? findPlace(me, { partnerId: id }, '') : undefined;
}

const placeAt = (area: Area, { id, name, permissions }: Omit<Place, 'area'>): Place => ({
  area,
  id,
  name,
  permissions,
});

/** All places of a user that have a page. */
export function listPlaces(me: Me): Place[] {
  const installation = findPlace(me, {}, '/installation');
  return [
    ...me.projects.map((one) => placeAt('project', one)),
    ...me.partners.map((one) => placeAt('partner', one)),
    ...(installation ? [installation] : []),
  ].filter((place) => startOfPlace(place) !== undefined);
}

/** The first page of a place, or of the place where the user was last; undefined if there is none. */
export function findStart(me: Me, place: Place | undefined = lastPlace(me)): string | undefined {
  const known = place && startOfPlace(place);
  if (known) return known;
  const [first] = listPlaces(me);
  return first && startOfPlace(first);
}
