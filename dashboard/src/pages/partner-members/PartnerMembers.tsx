/** The members of a partner. */
import { Members } from '../../components/Members';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { usePartner } from '../../session';
import { partner as partnerTexts } from '../../texts/partner';
import { texts } from '../../texts';

const ROLES = ['partner_admin', 'partner_viewer'] as const;

export default function PartnerMembers() {
  const { id } = usePartner();
  return (
    <PageBody>
      <PageHeader title={texts.titles.members} about={partnerTexts.utc} />
      <Members place={{ partner_id: id }} roles={ROLES} />
    </PageBody>
  );
}
