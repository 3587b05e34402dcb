/** Where a table scrolls that is wider than its place; by keyboard, too. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly label: string;
  readonly minWidth?: number;
  readonly maxHeight?: number | string;
  readonly className?: string;
  readonly children: ReactNode;
}

export const TableScroll = ({ label, minWidth = 0, maxHeight, className, children }: Props) => (
  <Table.ScrollContainer
    minWidth={minWidth}
    maxHeight={maxHeight}
    className={className}
    scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
  >
    {children}
  </Table.ScrollContainer>
);
