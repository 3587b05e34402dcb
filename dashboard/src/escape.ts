/**
 * Escape closes one layer: what was opened last. Dialogs, drawers, popovers and the palette each wait here for their
 * turn; Mantine's own would all hear the same key.
 */
import { useEffect, useEffectEvent } from 'react';

/** What closes each layer that is open, the one on top last. */
const layers: (() => void)[] = [];

/** An open list of choices or a menu takes the key itself; so does whoever composes a character. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    event.isComposing || (target instanceof Element && target.closest('[data-mantine-stop-propagation=true]') !== null)
  );
}

function closeTop(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || isTaken(event)) return;
  layers.at(-1)?.();
}

/** Calls `onClose` when Escape is pressed while nothing lies above this layer. */
export function useEscape(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const layer = () => close();
    if (layers.length === 0) window.addEventListener('keydown', closeTop, { capture: true });
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length === 0) window.removeEventListener('keydown', closeTop, { capture: true });
    };
  }, [isOpen]);
}
