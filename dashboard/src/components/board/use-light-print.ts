/** Prints in light colours, whatever the screen has: paper is white. */
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

export function useLightPrint(): void {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const before = useRef(colorScheme);
  useEffect(() => {
    const begin = () => {
      before.current = colorScheme;
      flushSync(() => setColorScheme('light'));
    };
    const end = () => setColorScheme(before.current);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, [colorScheme, setColorScheme]);
}
