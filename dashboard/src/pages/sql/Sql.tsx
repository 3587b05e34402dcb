/** A read-only SQL page: a statement, its rows as a table or chart, and saved queries. */
import { Button, Group, Kbd, Menu, Text, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sqlQuery } from '../../api/sql';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { useProject } from '../../session';
import { EXAMPLES } from './examples';
import { Result } from './Result';
import { Saved } from './Saved';
import { MAX_IN_URL, sqlSearch } from './search';
import classes from './Sql.module.css';
import { engineers as engineersTexts } from '../../texts/engineers';
import { texts } from '../../texts';
import { toPage } from '../../addresses';

const text = engineersTexts.sql;
const FIRST = EXAMPLES[0].query;

export default function Sql() {
  const { id } = useProject();
  const [{ query }, setView] = useView(sqlSearch);
  // That of a view which leads here.
  const given = useLocation({ select: ({ state }) => state.statement });
  const [typed, setTyped] = useState(query ?? given ?? FIRST);
  // A statement that the URL cannot hold.
  const [long, setLong] = useState(query === undefined ? given : undefined);
  const asked = long ?? query;
  const answer = useQuery(sqlQuery(id, asked));
  useEffect(() => {
    if (query !== undefined) setTyped(query);
  }, [query]);
  const run = (statement: string) => {
    if (statement.trim() === '') return;
    if (statement === asked) return void answer.refetch();
    const fits = statement.length <= MAX_IN_URL;
    setLong(fits ? undefined : statement);
    setView({ query: fits ? statement : undefined, x: undefined, y: undefined });
  };
  const open = (statement: string) => {
    setTyped(statement);
    run(statement);
  };
  return (
    <PageBody>
      <PageHeader title={texts.titles.sql} about={text.about}>
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button size="xs" variant="default">
              {text.examples}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {EXAMPLES.map((one) => (
              <Menu.Item key={one.name} onClick={() => open(one.query)}>
                {one.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          size="xs"
          variant="default"
          component={Link}
          {...toPage('/projects/$projectId/schema', { projectId: id })}
        >
          {text.browse}
        </Button>
      </PageHeader>
      <div className={classes.split}>
        <Panel title={text.editor}>
          <Textarea
            aria-label={text.editor}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              run(typed);
            }}
            autosize
            minRows={8}
            maxRows={24}
            maxLength={100_000}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            classNames={{ input: classes.editor }}
            mt="xs"
          />
          <Group gap="sm" mt="sm">
            <Button
              leftSection={<IconPlayerPlay size={15} />}
              loading={answer.isFetching}
              disabled={typed.trim() === ''}
              onClick={() => run(typed)}
            >
              {text.run}
            </Button>
            <Text size="xs" c="dimmed" visibleFrom="xs">
              <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd>
            </Text>
          </Group>
        </Panel>
        <Saved statement={typed} onOpen={open} />
      </div>
      <Result statement={asked} answer={answer} />
    </PageBody>
  );
}
