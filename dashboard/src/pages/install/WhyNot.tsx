/** Why a partner does not get the install: its touches, its refusals, and what a touch has to be. */
import { Alert, Anchor, Group, List, Select, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import dayjs from 'dayjs';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { partnerQualityQuery } from '../../components/partners-query';
import { todayIn } from '../../period';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { Conditions } from './Conditions';
import type { Candidate, InstallFacts } from './questions';
import { installSearch } from './search';
import { install as text } from '../../texts/install';
import { texts } from '../../texts';
import { toPage } from '../../addresses';

/** So far back its traffic is looked at. */
const DAYS = 7;

interface Props {
  readonly install: InstallFacts;
  readonly candidates: readonly Candidate[];
}

export function WhyNot({ install, candidates }: Props) {
  const { id, timezone } = useProject();
  const [{ partner }, setView] = useView(installSearch);
  const to = todayIn(timezone, new Date(install.install_time));
  const from = dayjs(to).subtract(DAYS, 'day').format('YYYY-MM-DD');
  const quality = useQuery({ ...partnerQualityQuery(id, from, to), enabled: useMay('reports') });
  const partners = quality.data?.partners ?? [];
  const chosen = partners.find((one) => one.partner_id === partner);
  return (
    <Panel title={text.whyNot} about={text.whyNotAbout}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" mt="xs">
        <Stack gap="sm">
          {quality.error && <ErrorBox error={quality.error} onRetry={() => void quality.refetch()} />}
          {quality.isPending && <Skeleton height={36} />}
          {quality.data &&
            (partners.length === 0 ? (
              <Text size="sm" c="dimmed">
                {text.noPartners}
              </Text>
            ) : (
              <Select
                aria-label={texts.partner}
                placeholder={text.choosePartner}
                searchable
                clearable
                maw={320}
                data={partners.map((one) => ({ value: String(one.partner_id), label: one.partner }))}
                value={chosen ? String(chosen.partner_id) : null}
                onChange={(value) => setView({ partner: value ? Number(value) : undefined }, { replace: true })}
              />
            ))}
          {chosen && (
            <>
              <Answer name={chosen.partner} touches={candidates.filter((one) => one.partner === chosen.partner)} />
              <Traffic partner={chosen} from={from} to={to} />
              <Anchor
                component={Link}
                {...toPage('/projects/$projectId/partners/$partnerId', { projectId: id, partnerId: chosen.partner_id })}
                size="sm"
              >
                {text.openPartner}
              </Anchor>
            </>
          )}
        </Stack>
        <Conditions install={install} candidates={candidates} />
      </SimpleGrid>
    </Panel>
  );
}

/** A title in the colour of text: that of the alert is too pale on its ground. */
const TITLE = { title: { color: 'var(--mantine-color-text)' } };

/** What became of what it sent for this install. */
function Answer({ name, touches }: { name: string; touches: readonly Candidate[] }) {
  if (touches.some(({ verdict }) => verdict === 'credited'))
    return <Alert variant="light" styles={TITLE} color="green" title={text.got(name)} children={text.gotText} p="sm" />;
  if (touches.length === 0)
    return (
      <Alert variant="light" styles={TITLE} color="yellow" title={text.never(name)} children={text.neverText} p="sm" />
    );
  const reasons = new Map(touches.map(({ verdict, why }) => [verdict, why]));
  return (
    <Alert variant="light" styles={TITLE} color="yellow" title={text.lost(name, touches.length)} p="sm">
      <List size="sm" spacing={2}>
        {[...reasons].map(([verdict, why]) => (
          <List.Item key={verdict}>
            <b>{text.verdicts[verdict] ?? verdict}</b>
            {': '}
            {why}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

interface TrafficProps {
  readonly partner: {
    clicks: number;
    impressions: number;
    ctv_impressions: number;
    refused: Readonly<Record<string, number>>;
  };
  readonly from: string;
  readonly to: string;
}

function Traffic({ partner, from, to }: TrafficProps) {
  const formats = useFormats();
  const refused = Object.entries(partner.refused).sort(([, a], [, b]) => b - a);
  const counts = [
    [texts.clicks, partner.clicks],
    [texts.impressions, partner.impressions],
    [text.tv, partner.ctv_impressions],
    [texts.refused, refused.reduce((sum, [, count]) => sum + count, 0)],
  ] as const;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {text.traffic(formats.shortDay(from), formats.shortDay(to))}
      </Text>
      <Group gap="lg" mb="xs">
        {counts.map(([label, count]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text fw={600}>{formats.count(count)}</Text>
          </div>
        ))}
      </Group>
      {refused.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.noneRefused}
        </Text>
      ) : (
        <Table aria-label={texts.refused} maw={420}>
          <Table.Tbody>
            {refused.map(([reason, count]) => (
              <Table.Tr key={reason}>
                <Table.Td>{reason.replaceAll('_', ' ')}</Table.Td>
                <Table.Td ta="right">{formats.count(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}
