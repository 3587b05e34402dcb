/** The project as the service has it, with what stands in its place until it is there. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { projectsQuery, type Project } from '../../api/admin';
import { ErrorBox } from '../../components/ErrorBox';
import { useProject } from '../../session';

const HEIGHT = 360;

export function WithProject({ children }: { children: (project: Project) => ReactNode }) {
  const { id } = useProject();
  const { data, error, refetch } = useQuery(projectsQuery);
  const project = data?.find((one) => one.id === id);
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  return project ? children(project) : <Skeleton height={HEIGHT} />;
}
