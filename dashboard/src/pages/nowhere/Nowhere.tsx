/** The start of a user who belongs nowhere yet. */
import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/page-header';
import { PageBody } from '../../components/PageBody';
import { texts } from '../../texts';

export default function Nowhere() {
  return (
    <PageBody>
      <PageHeader title={texts.errors.noPlaceTitle} />
      <EmptyState title={texts.errors.noPlaceTitle} text={texts.errors.noPlace} />
    </PageBody>
  );
}
