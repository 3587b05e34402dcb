/** What stands where something will be, in its size. */
import { SimpleGrid, Skeleton } from '@mantine/core';
import { texts } from '../texts';
import { PageBody } from './PageBody';

export function PageSkeleton() {
  return (
    <div aria-busy="true" aria-label={texts.loading} role="status">
      <PageBody>
        <Skeleton height={30} width={220} />
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
          {[0, 1, 2, 3].map((at) => (
            <Skeleton key={at} height={92} />
          ))}
        </SimpleGrid>
        <Skeleton height={360} />
      </PageBody>
    </div>
  );
}
