/** The content of a page, with the same margins everywhere. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './components.module.css';

interface Props {
  /** For pages of forms and text. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

export const PageBody = ({ narrow, children }: Props) => (
  <Stack gap="md" className={classes.body} data-narrow={narrow || undefined}>
    {children}
  </Stack>
);
