/** Who is signed in, what they may, and which project or partner the page is about. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { useContext } from 'react';
import type { Me, Permission } from './api/people';
import { meQuery } from './api/queries';
import { createFormats, type Formats } from './format';
import { FormatsContext } from './formats-context';
import type { Area } from './page';

export type Project = Me['projects'][number];
export type Partner = Me['partners'][number];

/** Where a page is: a project, a partner or the installation. */
export interface Place {
  readonly area: Area;
  readonly id: number;
  readonly name: string;
  readonly permissions: readonly string[];
}

interface Ids {
  readonly projectId?: string;
  readonly partnerId?: string;
}
const useIds = (): Ids => useParams({ strict: false });

/** Who is signed in. Only below the shell, which sees to it that somebody is. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** The place of a path; undefined where there is none, or none that the user may see. */
export function findPlace(me: Me, params: Ids, path: string): Place | undefined {
  if (params.projectId !== undefined) {
    const project = me.projects.find(({ id }) => String(id) === params.projectId);
    return project && { ...project, area: 'project' };
  }
  if (params.partnerId !== undefined) {
    const partner = me.partners.find(({ id }) => String(id) === params.partnerId);
    return partner && { ...partner, area: 'partner' };
  }
  if (!path.startsWith('/installation') || !me.operator) return undefined;
  return { area: 'installation', id: 0, name: '', permissions: me.permissions };
}

export const may = (place: Place, permission: Permission): boolean => place.permissions.includes(permission);

/** The project that the page is about. Only for pages of the area `project`. */
export function useProject(): Project {
  const { projectId } = useIds();
  const project = useMe().projects.find(({ id }) => String(id) === projectId);
  if (!project) throw new Error('This page is not about a project');
  return project;
}

/** The partner that the page is about. Only for pages of the area `partner`. */
export function usePartner(): Partner {
  const { partnerId } = useIds();
  const partner = useMe().partners.find(({ id }) => String(id) === partnerId);
  if (!partner) throw new Error('This page is not about a partner');
  return partner;
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The formats of the project; of a partner those of UTC, as its figures are; elsewhere the reader's own zone. */
export function useFormats(): Formats {
  const given = useContext(FormatsContext);
  const { projectId, partnerId } = useIds();
  const { data: me } = useQuery({ ...meQuery, enabled: given === undefined });
  if (given) return given;
  const project = me?.projects.find(({ id }) => String(id) === projectId);
  if (project) return createFormats(project.currency, project.timezone, project.locale);
  return createFormats('USD', partnerId === undefined ? HERE : 'UTC');
}

/** Where the page is. */
export function usePlace(): Place | undefined {
  const params = useIds();
  const path = useLocation({ select: ({ pathname }) => pathname });
  return findPlace(useMe(), params, path);
}

/** Whether the user may do something at the place of the page. */
export function useMay(permission: Permission): boolean {
  const place = usePlace();
  return place !== undefined && may(place, permission);
}
