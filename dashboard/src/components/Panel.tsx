/** A surface with a heading, for a chart or a table. */
import { Box, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Question } from '../api/queries';
import classes from './components.module.css';
import { ShowSql } from './SqlOfView';

interface Props {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  /** At the right of the heading. */
  readonly tools?: ReactNode;
  /** What its figures answer: the statement behind it can be shown. */
  readonly question?: Question;
  /** Without margins, for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Panel({ title, about, tools, question, flush = false, children }: Props) {
  return (
    <Paper component="section" style={{ minWidth: 0 }}>
      <Group justify="space-between" gap="sm" px="md" pt="sm" pb={flush ? 'xs' : 0} mih={44}>
        <div style={{ flex: '1 1 150px', minWidth: 0 }}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {about !== undefined && (
            <Text size="xs" c="dimmed">
              {about}
            </Text>
          )}
        </div>
        <Group gap={4} className={classes.tools} data-print="hidden">
          {tools}
          {question && <ShowSql question={question} />}
        </Group>
      </Group>
      <Box p={flush ? 0 : 'md'} pt={0}>
        {children}
      </Box>
    </Paper>
  );
}
