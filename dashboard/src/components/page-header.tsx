/** The head of a page: its title (which takes the focus after a navigation), and what can be done with the view. */
import { Group, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useFormats, usePlace } from '../session';
import { texts } from '../texts';
import classes from './components.module.css';

let hasNavigated = false;
/** From now on a new page takes the focus: readers of the screen hear where they are. */
export const noteNavigation = (): void => void (hasNavigated = true);

interface Props {
  readonly title: string;
  /** A line below the title. */
  readonly about?: ReactNode;
  /** Says in which zone the times and days of the page are. */
  readonly withZone?: boolean;
  /** PeriodPicker, ViewTools and the like. */
  readonly children?: ReactNode;
}

export function PageHeader({ title, about, withZone = false, children }: Props) {
  const { timezone } = useFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const place = usePlace();
  useEffect(() => {
    document.title = [title, place?.name, texts.product].filter(Boolean).join(' · ');
  }, [title, place?.name]);
  useEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div className={classes.title}>
        <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {title}
        </Title>
        {(about !== undefined || withZone) && (
          <Text size="sm" c="dimmed" component="div">
            {about}
            {about !== undefined && withZone && ' · '}
            {withZone && texts.zone(timezone)}
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.tools} data-print="tools">
        {children}
      </Group>
    </Group>
  );
}
