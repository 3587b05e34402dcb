/** A board as it is looked at: its items on their places, below each other where there is no room; for print, too. */
import type { ReactNode } from 'react';
import classes from './Board.module.css';
import type { Place } from './places';

interface Props<T extends Place> {
  readonly items: readonly T[];
  readonly children: (item: T, at: number) => ReactNode;
}

export const BoardGrid = <T extends Place>({ items, children }: Props<T>) => (
  <div className={classes.grid}>
    {items.map((item, at) => (
      <div
        key={at}
        className={classes.item}
        style={{
          gridColumn: `${item.x + 1} / span ${item.w}`,
          gridRow: `${item.y + 1} / span ${item.h}`,
        }}
      >
        {children(item, at)}
      </div>
    ))}
  </div>
);
