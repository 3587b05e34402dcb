/** Listens for the keys that lead somewhere, unless somebody is typing. */
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { leadTo } from '../addresses';
import { readPeriod } from '../search';
import type { Place } from '../session';
import { pagesAt, placeAddress } from './navigation';
import { isTyping, listShortcuts, THEN_MS } from './shortcuts';

const ShortcutList = lazy(() => import('./ShortcutList'));

interface Props {
  readonly place: Place | undefined;
  /** Opens the command palette, where the page has no field to search in. */
  readonly onSearch: () => void;
}

/** The first field to search in of the page. */
const findSearch = () =>
  [...document.querySelectorAll<HTMLInputElement>('main input')].find(
    ({ type, placeholder, offsetParent }) =>
      offsetParent !== null && (type === 'search' || /^search/i.test(placeholder)),
  );

export function Shortcuts({ place, onSearch }: Props) {
  const [isListed, setListed] = useState(false);
  const navigate = useNavigate();
  const begun = useRef(-Infinity);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      // A dialog is about something else.
      if (document.querySelector('[aria-modal=true]')) return;
      const isSecond = performance.now() - begun.current < THEN_MS;
      begun.current = -Infinity;
      const found = isSecond && place && listShortcuts(pagesAt(place)).find(({ letter }) => letter === event.key);
      if (found) {
        event.preventDefault();
        void navigate(leadTo(`${placeAddress(place)}/${found.page.path}`, place.area === 'project' ? readPeriod : {}));
      } else if (event.key === 'g') begun.current = performance.now();
      else if (event.key === '?') setListed(true);
      else if (event.key === '/') {
        event.preventDefault();
        const field = findSearch();
        if (field) field.focus();
        else onSearch();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [place, navigate, onSearch]);
  return (
    isListed && (
      <Suspense>
        <ShortcutList place={place} onClose={() => setListed(false)} />
      </Suspense>
    )
  );
}
