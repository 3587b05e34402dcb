/** The button of the command palette, and the keys that open it. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Place } from '../session';
import { texts } from '../texts';
import { Shortcuts } from './Shortcuts';

const Palette = lazy(() => import('./Palette'));

export function OpenPalette({ place }: { place: Place | undefined }) {
  const [isOpen, setOpen] = useState(false);
  // What has been opened once stays: it is there at once the next time.
  const [isWanted, setWanted] = useState(false);
  const open = useCallback(() => {
    setWanted(true);
    setOpen(true);
  }, []);
  // In fields too: somebody who types may want to go elsewhere.
  useHotkeys([['mod+K', open]], [], true);
  return (
    <>
      <Tooltip label={texts.navigation.palette}>
        <ActionIcon size="lg" aria-label={texts.navigation.palette} aria-keyshortcuts="Control+K Meta+K" onClick={open}>
          <IconSearch size={18} />
        </ActionIcon>
      </Tooltip>
      <Shortcuts place={place} onSearch={open} />
      {isWanted && (
        <Suspense>
          <Palette place={place} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
