/** The name of a value in a table: it filters the view, or leads to the page of the value. */
import { ActionIcon, Anchor, UnstyledButton } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { isTime, toExplore, toValue, type Exploration, type Source } from '../drill';
import type { Question, ReportRow } from '../api/queries';
import { rowName } from '../names';
import { useProject } from '../session';
import { dimensionText, texts } from '../texts';
import type { Column } from './table-columns';
import classes from './components.module.css';

const text = texts.tools.filters;

interface Props {
  readonly source: Source;
  readonly dimension: string;
  readonly value: string;
  readonly name: string;
}

/** Leads to the page of the value, where it has one. */
export function ValueLink({ source, dimension, value, name }: Props) {
  const address = toValue(useProject().id, source, dimension, value);
  if (!address) return name;
  return (
    <Anchor component={Link} {...address} inherit>
      {name}
    </Anchor>
  );
}

/** A column of a dimension of a question, whose values lead to their pages. */
export function valueColumn(question: Question, dimension: string, at: number): Column<ReportRow> {
  const { source } = question;
  const name = (row: ReportRow) => rowName(question, row, at);
  return {
    id: dimension,
    header: dimensionText(dimension),
    value: name,
    cell: (row) => (
      <ValueLink source={source} dimension={dimension} value={row.dimensions[at] ?? ''} name={name(row)} />
    ),
  };
}

/** Filters the view to the value; an arrow beside it leads to its page. Times have no filter. */
export function ValueFilter({ onFilter, ...props }: Props & { readonly onFilter: () => void }) {
  const { source, dimension, value, name } = props;
  const address = toValue(useProject().id, source, dimension, value);
  if (isTime(dimension)) return name;
  return (
    <span className={classes.valueCell}>
      <UnstyledButton className={classes.valueButton} title={text.only(name)} onClick={onFilter}>
        {name}
      </UnstyledButton>
      {address && (
        <ActionIcon component={Link} {...address} size={18} className={classes.valueOpen} aria-label={text.open(name)}>
          <IconArrowUpRight size={14} />
        </ActionIcon>
      )}
    </span>
  );
}

/** Below a list: opens the explore page with its question. */
export const ViewAll = (view: Exploration) => (
  <Anchor component={Link} {...toExplore(useProject().id, view)} size="xs" className={classes.viewAll}>
    {text.viewAll}
  </Anchor>
);
