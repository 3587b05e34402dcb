/** The pages of a place, as far as the user's role goes. */
import { NavLink } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Page } from '../page';
import { periodSearch, readSearch, Type, withDefaults } from '../search';
import type { Place } from '../session';
import { texts } from '../texts';
import { placeAddress, pagesAt } from './navigation';
import classes from './Shell.module.css';
import { leadTo } from '../addresses';

/** What goes along from page to page: the period, to pages that have one. */
const kept = Type.Object(periodSearch);
const keepPeriod = (page: Page) => (before: Record<string, unknown>) =>
  page.search ? readSearch(page.search, { ...withDefaults(kept, before) }) : {};

export function Navigation({ place, path }: { place: Place; path: string }) {
  const groups = groupPages(pagesAt(place));
  return groups.map(([group, pages]) => (
    <Fragment key={group}>
      {group !== '' && <div className={classes.group}>{texts.navigation.groups[group]}</div>}
      {pages.map((page) => {
        const to = `${placeAddress(place)}/${page.path}`;
        const isActive = path === to || path.startsWith(`${to}/`);
        const Icon = page.icon;
        return (
          <NavLink
            key={to}
            component={Link}
            {...leadTo(to, keepPeriod(page))}
            label={page.title}
            leftSection={Icon && <Icon size={17} stroke={1.7} aria-hidden />}
            active={isActive}
            aria-current={isActive ? 'page' : undefined}
            className={classes.link}
          />
        );
      })}
    </Fragment>
  ));
}

type Group = keyof typeof texts.navigation.groups | '';

function groupPages(pages: readonly Page[]): [Group, Page[]][] {
  const groups = new Map<Group, Page[]>();
  for (const page of pages) groups.set(page.group ?? '', [...(groups.get(page.group ?? '') ?? []), page]);
  return [...groups];
}
