/** The partners of a project: what each may do, and how good its traffic is. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { switchNames } from '../../components/SwitchBadges';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { buildColumns } from './columns';
import { partnersSearch } from './search';
import {
  allPartnersQuery,
  buildCurl,
  NOTHING_ON,
  countRefused,
  switchesQuery,
  useQuality,
  type Quality,
} from './questions';
import { partners as text } from '../../texts/partners';
import { toPage } from '../../addresses';

export default function Partners() {
  const [{ sort }, setView] = useView(partnersSearch);
  const [period] = usePeriod();
  const project = useProject();
  const formats = useFormats();
  const quality = useQuality(project.id, period);
  const switches = useQuery(switchesQuery(project.id));
  const error = quality.error ?? switches.error;
  const known = new Map(switches.data?.partners.map((one) => [one.partner_id, one]));
  const findSwitches = ({ partner_id }: Quality) => known.get(partner_id) ?? NOTHING_ON;
  const until = quality.data?.meta.complete_until;
  return (
    <PageBody>
      <PageHeader
        withZone
        title={texts.titles.partners}
        about={until ? texts.overview.completeUntil(formats.time(until)) : text.about}
      >
        <AddPartner taken={quality.data?.partners.map(({ partner_id }) => partner_id)} />
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${project.name} ${texts.titles.partners} ${period.from} ${period.to}`}
          call={buildCurl(period)}
          csv={quality.data?.partners.map((row) => ({
            partner: row.partner,
            switched_on: switchNames(findSwitches(row)).join(', '),
            clicks: row.clicks,
            impressions: row.impressions,
            ctv_impressions: row.ctv_impressions,
            installs: row.installs,
            conversion_rate: row.conversion_rate,
            suspicious: row.suspicious,
            refused: countRefused(row),
            repeats: row.repeats,
          }))}
        />
      </PageHeader>
      {error && (
        <ErrorBox
          error={error}
          onRetry={() => {
            void quality.refetch();
            void switches.refetch();
          }}
        />
      )}
      <Panel title={texts.titles.partners} about={text.about} flush>
        <DataTable
          label={texts.titles.partners}
          columns={buildColumns(project.id, findSwitches)}
          rows={quality.data?.partners}
          rowId={({ partner_id }) => String(partner_id)}
          sort={sort ?? '-installs'}
          onSort={(next) => setView({ sort: next }, { replace: true })}
          loading={(quality.isPending || switches.isPending) && !error}
          stale={quality.isPlaceholderData}
          skeletons={3}
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      </Panel>
    </PageBody>
  );
}

/** Leads to a partner that does not work with the project yet, where it is switched on. */
function AddPartner({ taken }: { taken: readonly number[] | undefined }) {
  const mayChange = useMay('settings');
  const { id } = useProject();
  const navigate = useNavigate();
  const { data } = useQuery({ ...allPartnersQuery, enabled: mayChange });
  const others = data?.partners.filter((one) => taken && !taken.includes(one.id)) ?? [];
  if (!mayChange || others.length === 0) return null;
  return (
    <Select
      size="xs"
      w={180}
      aria-label={text.add}
      placeholder={text.add}
      searchable
      value={null}
      nothingFoundMessage={texts.nothingFound}
      data={others.map((one) => ({ value: String(one.id), label: one.name }))}
      onChange={(value) =>
        value && void navigate(toPage('/projects/$projectId/partners/$partnerId', { projectId: id, partnerId: value }))
      }
    />
  );
}
