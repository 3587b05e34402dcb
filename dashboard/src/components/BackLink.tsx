/** Leads from the page of one thing to the list of all. */
import { Anchor, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { leadTo } from '../addresses';

type Props = ReturnType<typeof leadTo> & { readonly children: ReactNode };

/** Takes what `toPage` answers. */
export const BackLink = ({ children, ...to }: Props) => (
  <Anchor component={Link} {...to} size="sm">
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
      <IconArrowLeft size={15} aria-hidden />
      {children}
    </Group>
  </Anchor>
);
