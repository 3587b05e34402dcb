/** Which campaigns cost more than they earn, in words and beside each other. */
import { Box, Button, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Panel } from '../../components/Panel';
import { useFormats } from '../../session';
import { Bars } from './Bars';
import { CampaignLink } from './CampaignLink';
import classes from './Campaigns.module.css';
import { isLosing, sorted, type Row } from './rows';
import { campaigns as campaignsTexts } from '../../texts/campaigns';

const text = campaignsTexts.verdict;
const NAMED = 3;
const HEIGHT = 180;
/** The least height of the words where the chart stands below them. */
const LOWEST = 96;

interface Props {
  readonly rows: readonly Row[] | undefined;
  readonly stale: boolean;
  readonly onSort: (sort: string) => void;
}

export function Verdict({ rows, stale, onSort }: Props) {
  return (
    <Panel title={text.title} about={text.about}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="xs">
        <Box mih={{ base: LOWEST, md: HEIGHT }}>
          {rows ? <Words rows={rows} onSort={onSort} /> : <Skeleton h={{ base: LOWEST, md: HEIGHT - 20 }} />}
        </Box>
        <Bars rows={rows} stale={stale} height={HEIGHT} />
      </SimpleGrid>
    </Panel>
  );
}

const hasSpend = ({ figures }: Row) => (figures.spend ?? 0) > 0;
function Words({ rows, onSort }: { rows: readonly Row[]; onSort: (sort: string) => void }) {
  const formats = useFormats();
  const spending = rows.filter(hasSpend);
  const losing = sorted(spending.filter(isLosing), 'profit');
  const [best] = sorted(spending, '-roas');
  if (!best)
    return (
      <>
        <Text fw={600}>{text.noSpend}</Text>
        <Text size="sm" c="dimmed">
          {text.noSpendText}
        </Text>
      </>
    );
  return (
    <>
      <Text fw={600} mb={6} c={losing.length > 0 ? 'var(--app-bad)' : 'var(--app-good)'}>
        {losing.length > 0 ? text.losing(losing.length) : text.none}
      </Text>
      <ul className={classes.list}>
        {losing.slice(0, NAMED).map((row) => (
          <li key={row.path[0]}>
            <span>
              <CampaignLink row={row} size="sm" />
              <span className={classes.about}>
                {text.of(formats.money(row.figures.spend), formats.money(row.figures.revenue))}
              </span>
            </span>
            <span className={classes.loss}>{text.lost(formats.money(-(row.figures.profit ?? 0)))}</span>
          </li>
        ))}
      </ul>
      {losing.length > NAMED && (
        <Text size="sm" c="dimmed">
          {text.more(losing.length - NAMED)}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => onSort('profit')}>
            {text.all}
          </Button>
        </Text>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {text.best(best.name, formats.ratio(best.figures.roas))}
      </Text>
    </>
  );
}
