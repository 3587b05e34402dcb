/** The triangle: a row for each cohort, a column for each day since the install, the more active the fuller. */
import { Skeleton, Table, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, type CSSProperties } from 'react';
import { offerImage } from '../../components/chart/image';
import { useLook } from '../../components/chart/look';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { findGreatest, type Cell, type Cohort, type Unit } from './cohorts';
import { cohortName } from './names';
import classes from './Retention.module.css';
import { tableImage, type Captions } from './table-image';
import { retention as text } from '../../texts/retention';

const SKELETONS = 12;

interface Props {
  readonly unit: Unit;
  readonly days: readonly number[];
  readonly cohorts: readonly Cohort[] | undefined;
  /** For all cohorts together: the installs, then a value for each day. */
  readonly totals: readonly (number | null)[] | undefined;
  readonly drawn: readonly string[];
  readonly onDraw: (cohort: string) => void;
  readonly stale: boolean;
  /** What its image says above and below it; keep it stable with useMemo. */
  readonly captions: Captions;
}

export function Triangle({ unit, days, cohorts, totals, drawn, onDraw, stale, captions }: Props) {
  const greatest = findGreatest(cohorts ?? []);
  const look = useLook();
  const table = useRef<HTMLTableElement>(null);
  const isShown = cohorts !== undefined && !stale;
  useEffect(() => {
    const element = table.current;
    if (!element || !isShown) return undefined;
    return offerImage({ title: text.table, legend: undefined, image: () => tableImage(element, captions, look) });
  }, [isShown, captions, look.scheme]);
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={text.table} data-stale={stale || undefined}>
      <Table ref={table} className={classes.triangle} aria-label={texts.titles.retention} aria-busy={!cohorts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.installed}</Table.Th>
            <Table.Th scope="col" data-number>
              {texts.titles.installs}
            </Table.Th>
            {days.map((day) => (
              <Table.Th key={day} scope="col" data-cell title={texts.dayN(day)}>
                {text.shortDay(day)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cohorts && totals && <Average totals={totals} greatest={greatest} />}
          {cohorts?.map((cohort) => <Row key={cohort.id} {...{ unit, cohort, greatest, drawn, onDraw }} />) ?? (
            <Skeletons columns={days.length + 2} />
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface RowProps extends Pick<Props, 'unit' | 'drawn' | 'onDraw'> {
  readonly cohort: Cohort;
  readonly greatest: number;
}

function Row({ unit, cohort, greatest, drawn, onDraw }: RowProps) {
  const formats = useFormats();
  const { colors } = useLook();
  const name = cohortName(unit, cohort, formats);
  const at = drawn.indexOf(cohort.id);
  // The first colour is that of all cohorts.
  const swatch = at < 0 ? undefined : colors[(at + 1) % colors.length];
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <UnstyledButton
          className={classes.cohort}
          aria-pressed={at >= 0}
          title={text.draw(name)}
          onClick={() => onDraw(cohort.id)}
        >
          <span className={classes.swatch} style={{ background: swatch }} />
          {name}
        </UnstyledButton>
      </Table.Th>
      <Table.Td data-number>{formats.count(cohort.size)}</Table.Td>
      {cohort.cells.map((cell) => (
        <Value key={cell.day} cell={cell} cohort={cohort} name={name} greatest={greatest} />
      ))}
    </Table.Tr>
  );
}

/** From 0 to 1, for the colour of a cell. */
const heat = (value: number, greatest: number) =>
  ({ '--heat': greatest > 0 ? Math.min(1, value / greatest).toFixed(3) : '0' }) as CSSProperties;

interface ValueProps {
  readonly cell: Cell;
  readonly cohort: Cohort;
  readonly name: string;
  readonly greatest: number;
}

function Value({ cell, cohort, name, greatest }: ValueProps) {
  const formats = useFormats();
  const { value, state } = cell;
  const counted = formats.count(cell.counted ?? cohort.size);
  const meaning =
    state === 'open'
      ? text.open
      : value === null
        ? text.nobody
        : state === 'partial'
          ? text.partial(formats.percent(value), counted, formats.count(cohort.size), formats.shortDay(cell.until))
          : text.full(formats.percent(value), counted);
  return (
    <Table.Td
      data-cell
      data-state={state}
      title={`${name}, ${texts.dayN(cell.day)}: ${meaning}`}
      style={value === null ? undefined : heat(value, greatest)}
    >
      {state === 'open' ? <span className={classes.open}>·</span> : shown(value)}
    </Table.Td>
  );
}

const shown = (value: number | null) => (value === null ? texts.none : value.toFixed(1));

function Average({ totals, greatest }: { totals: readonly (number | null)[]; greatest: number }) {
  const formats = useFormats();
  const [installs, ...values] = totals;
  return (
    <Table.Tr className={classes.average}>
      <Table.Th scope="row">{text.all}</Table.Th>
      <Table.Td data-number>{formats.count(installs)}</Table.Td>
      {values.map((value, at) => (
        <Table.Td key={at} data-cell style={value === null ? undefined : heat(value, greatest)}>
          {value === null ? <span className={classes.open}>·</span> : shown(value)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

const Skeletons = ({ columns }: { columns: number }) =>
  Array.from({ length: SKELETONS }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={14} my={3} width={column === 0 ? 90 : 34} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));

/** What colours, stripes and dots mean. */
export function Legend({ greatest }: { greatest: number }) {
  const formats = useFormats();
  return (
    <div className={classes.legend} role="note" aria-label={text.legend}>
      <span className={classes.entry}>
        {text.scale}: 0%
        <span className={classes.ramp} aria-hidden />
        {formats.percent(greatest || null)}
      </span>
      <span className={classes.entry}>
        <span className={classes.sample} data-state="partial" aria-hidden />
        {text.partialMark}
      </span>
      <span className={classes.entry}>
        <span className={classes.sample} aria-hidden>
          ·
        </span>
        {text.openMark}
      </span>
    </div>
  );
}
