/** The members of the account that a project belongs to; of the installation, its operators. */
import { Members } from '../../components/Members';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { useMe, usePlace } from '../../session';
import { texts } from '../../texts';
import { Allowed } from './Allowed';

const BELOW_OWNER = ['admin', 'analyst', 'engineer', 'viewer'] as const;

export default function MembersPage() {
  const { accounts, projects } = useMe();
  const place = usePlace();
  const project = place?.area === 'project' ? projects.find(({ id }) => id === place.id) : undefined;
  const account = accounts.find(({ id }) => id === project?.account_id);
  // Admins make no owners and take none away.
  const roles = account?.role === 'admin' ? BELOW_OWNER : (['owner', ...BELOW_OWNER] as const);
  return (
    <PageBody>
      <PageHeader title={texts.titles.members} about={account?.name ?? texts.navigation.installation} />
      {project ? (
        <>
          <Members place={{ account_id: project.account_id }} roles={roles} />
          {account?.permissions.includes('account') && <Allowed accountId={account.id} />}
        </>
      ) : (
        <Members place={{}} roles={['operator']} />
      )}
    </PageBody>
  );
}
