/** The frame of all pages of who is signed in: navigation, the place, the user, and the page itself. */
import { AppShell, Burger, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { PageSkeleton } from '../components/Skeletons';
import { useEscape } from '../escape';
import { usePlace } from '../session';
import { texts } from '../texts';
import { Logo } from './Logo';
import { Navigation } from './Navigation';
import { rememberPlace } from './navigation';
import { OpenPalette } from './OpenPalette';
import { PlaceSwitch } from './PlaceSwitch';
import classes from './Shell.module.css';
import { UserMenu } from './UserMenu';

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const place = usePlace();
  useEffect(close, [path, close]);
  useEscape(isOpen, close);
  useEffect(() => {
    if (place && place.area !== 'installation') rememberPlace(place);
  }, [place]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen, desktop: !place } }}
      padding={0}
      transitionDuration={0}
    >
      <a className={classes.skip} href="#content">
        {texts.skip}
      </a>
      <AppShell.Header className={classes.header}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-expanded={isOpen}
          aria-label={isOpen ? texts.navigation.close : texts.navigation.open}
        />
        <UnstyledButton component={Link} to="/" className={classes.brand} aria-label={texts.product}>
          <Logo />
          <Text component="span" fw={650} visibleFrom="xs">
            {texts.product}
          </Text>
        </UnstyledButton>
        <PlaceSwitch place={place} />
        <Group ml="auto" gap="xs" wrap="nowrap">
          <OpenPalette place={place} />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label={texts.navigation.label}>
        {place && <Navigation place={place} path={path} />}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
