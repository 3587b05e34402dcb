/** Which campaigns do not pay back what they cost, in words and beside each other. */
import { Box, Button, Select, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Panel } from '../../components/Panel';
import { HORIZONS } from '../../judge';
import { useFormats } from '../../session';
import { Bars } from './Bars';
import { CampaignLink } from './CampaignLink';
import classes from './Campaigns.module.css';
import type { Figures } from './questions';
import { sorted, type Judging, type Row } from './rows';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.verdict;
const NAMED = 3;
const HEIGHT = 180;
/** The least height of the words where the chart stands below them. */
const LOWEST = 96;

interface Props extends Judging {
  readonly rows: readonly Row[] | undefined;
  readonly totals: Figures | undefined;
  readonly stale: boolean;
  readonly onSort: (sort: string) => void;
  readonly onHorizon: (day: string) => void;
}

export function Verdict({ rows, totals, stale, onSort, onHorizon, horizon, target }: Props) {
  const formats = useFormats();
  const about = text.about(horizon, formats.share(target), formats.whole(totals?.[`mature_d${horizon}`]));
  const choices = [...new Set([...HORIZONS, horizon])].sort((a, b) => a - b);
  return (
    <Panel
      title={text.title}
      about={about}
      tools={
        <Select
          size="xs"
          w={84}
          aria-label={text.day}
          allowDeselect={false}
          value={String(horizon)}
          data={choices.map((day) => ({ value: String(day), label: texts.dayShort(day) }))}
          onChange={(day) => day && onHorizon(day)}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="xs">
        <Box mih={{ base: LOWEST, md: HEIGHT }}>
          {rows ? (
            <Words rows={rows} horizon={horizon} onSort={onSort} />
          ) : (
            <Skeleton h={{ base: LOWEST, md: HEIGHT - 20 }} />
          )}
        </Box>
        <Bars rows={rows} stale={stale} height={HEIGHT} horizon={horizon} target={target} />
      </SimpleGrid>
    </Panel>
  );
}

interface WordsProps {
  readonly rows: readonly Row[];
  readonly horizon: number;
  readonly onSort: (sort: string) => void;
}

const Nothing = ({ title, about }: { title: string; about: string }) => (
  <>
    <Text fw={600}>{title}</Text>
    <Text size="sm" c="dimmed">
      {about}
    </Text>
  </>
);

function Words({ rows, horizon, onSort }: WordsProps) {
  const formats = useFormats();
  const metric = `roas_d${horizon}`;
  const judged = rows.filter(({ verdict }) => verdict === 'below' || verdict === 'reached');
  const below = sorted(
    judged.filter(({ verdict }) => verdict === 'below'),
    metric,
  );
  const young = rows.filter(({ verdict }) => verdict === 'young').length;
  const [best] = sorted(judged, `-${metric}`);
  if (!best && young > 0) return <Nothing title={text.young(horizon)} about={text.youngText} />;
  if (!best) return <Nothing title={text.noSpend} about={text.noSpendText} />;
  return (
    <>
      <Text fw={600} mb={6} c={below.length > 0 ? 'var(--app-bad)' : 'var(--app-good)'}>
        {below.length > 0 ? text.below(below.length, horizon) : text.none(horizon)}
      </Text>
      <ul className={classes.list}>
        {below.slice(0, NAMED).map((row) => (
          <li key={row.path[0]}>
            <span>
              <CampaignLink row={row} size="sm" />
              <span className={classes.about}>{text.of(formats.whole(row.figures[`mature_d${horizon}`]))}</span>
            </span>
            <span className={classes.loss}>{text.share(formats.share(row.figures[metric]))}</span>
          </li>
        ))}
      </ul>
      {below.length > NAMED && (
        <Text size="sm" c="dimmed">
          {text.more(below.length - NAMED)}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => onSort(metric)}>
            {text.all(horizon)}
          </Button>
        </Text>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {text.best(best.name, formats.share(best.figures[metric]))} {young > 0 && text.someYoung(young)}
      </Text>
    </>
  );
}
