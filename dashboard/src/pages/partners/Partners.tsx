/** The partners of a project: what each may do, and how good its traffic is. */
import { Anchor, Badge, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { SwitchBadges, switchNames } from '../../components/SwitchBadges';
import type { Column } from '../../components/table-columns';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { metricText, texts } from '../../texts';
import { partnersSearch } from './search';
import {
  allPartnersQuery,
  buildCurl,
  NOTHING_ON,
  countRefused,
  switchesQuery,
  useQuality,
  judgeTraffic,
  type Quality,
} from './questions';
import { partners as partnersTexts } from '../../texts/partners';

const text = partnersTexts;
const VERDICT_COLORS = { good: 'green', early: 'red', late: 'orange', few: 'gray' } as const;

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
  const number = (
    id: 'clicks' | 'impressions' | 'installs' | 'repeats',
    header: string,
    about?: string,
  ): Column<Quality> => ({ id, header, about, kind: 'count', value: (row) => row[id] });
  const columns: Column<Quality>[] = [
    {
      id: 'partner',
      header: text.partner,
      value: ({ partner }) => partner,
      cell: ({ partner_id, partner }) => (
        <Anchor
          component={Link}
          to={`/projects/${project.id}/partners/${partner_id}`}
          search={((before: object) => ({ ...before, sort: undefined })) as never}
          fw={500}
          size="sm"
          style={{ whiteSpace: 'nowrap' }}
        >
          {partner}
        </Anchor>
      ),
    },
    {
      id: 'switches',
      header: text.switchedOn,
      value: (row) => switchNames(findSwitches(row)).length,
      cell: (row) => <SwitchBadges switches={findSwitches(row)} none={text.nothingOn} />,
    },
    number('clicks', metricText('clicks').label),
    number('impressions', metricText('impressions').label),
    number('installs', metricText('installs').label),
    {
      id: 'conversion',
      header: text.conversion,
      about: text.conversionAbout,
      kind: 'percent',
      value: (row) => row.conversion_rate,
    },
    {
      id: 'shape',
      header: text.time.title,
      about: text.time.about,
      value: (row) => judgeTraffic(row.click_to_install).verdict,
      cell: (row) => {
        const { verdict } = judgeTraffic(row.click_to_install);
        return (
          <Badge size="sm" variant="dot" color={VERDICT_COLORS[verdict]} tt="none" fw={500}>
            {text.time.verdict[verdict]}
          </Badge>
        );
      },
    },
    {
      id: 'suspicious',
      header: text.suspicious,
      about: text.suspiciousAbout,
      kind: 'percent',
      value: (row) => row.suspicious_share,
    },
    { id: 'refused', header: text.refused, about: text.refusedAbout, kind: 'count', value: countRefused },
    number('repeats', text.repeats, text.repeatsAbout),
  ];
  return (
    <PageBody>
      <PageHeader title={text.title} about={until ? text.completeUntil(formats.time(until)) : text.about}>
        <AddPartner taken={quality.data?.partners.map(({ partner_id }) => partner_id)} />
        <PeriodPicker withComparison={false} />
        <ShareMenu
          name={`${project.name} ${text.title} ${period.from} ${period.to}`}
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
      <Panel title={text.title} about={text.about} flush>
        <DataTable
          label={text.title}
          columns={columns}
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
      nothingFoundMessage={texts.navigation.nothingFound}
      data={others.map((one) => ({ value: String(one.id), label: one.name }))}
      onChange={(value) => value && void navigate({ to: `/projects/${id}/partners/${value}` })}
    />
  );
}
