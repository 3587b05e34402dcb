/** The members of a partner. */
import { Members } from '../../components/Members';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { usePartner } from '../../session';
import { partner as partnerTexts } from '../../texts/partner';

const ROLES = ['partner_admin', 'partner_viewer'] as const;

export default function PartnerMembers() {
  const { id } = usePartner();
  return (
    <PageBody>
      <PageHeader title={partnerTexts.members.title} about={partnerTexts.utc} />
      <Members place={{ partner_id: id }} roles={ROLES} />
    </PageBody>
  );
}
