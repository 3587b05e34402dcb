/** A first request to paste, loaded only where there is nothing yet: pages with figures do not wait for it. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Props } from './FirstRequest';

const FirstRequest = lazy(() => import('./FirstRequest'));

export const FirstEvent = (props: Props) => (
  <Suspense fallback={<Skeleton height={120} />}>
    <FirstRequest {...props} />
  </Suspense>
);
