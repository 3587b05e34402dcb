/** A read-only SQL page: a statement, its rows as a table, chart or pivot, and saved queries. */
import { Button, Group, Kbd, Menu, ScrollArea, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { schemaQuery } from '../../api/sql';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { Editor } from './Editor';
import { buildExamples } from './examples';
import { Result } from './Result';
import { Saved } from './Saved';
import classes from './Sql.module.css';
import { useStatement } from './use-statement';

const text = engineersTexts.sql;

export default function Sql() {
  const { id, timezone, currency } = useProject();
  const examples = buildExamples({ timezone, currency });
  const { data: schema } = useQuery(schemaQuery(id));
  const { typed, setTyped, asked, answer, run, open, cancel, history, refused } = useStatement(
    id,
    examples[0]?.query ?? '',
  );
  return (
    <PageBody>
      <PageHeader title={texts.titles.sql} about={text.about}>
        <Choices
          label={text.examples}
          entries={examples.map(({ name, about, query }) => ({ name, about, query }))}
          onOpen={open}
        />
        <History {...history} onOpen={open} />
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
          <Editor value={typed} onChange={setTyped} onRun={run} schema={schema} error={refused} />
          <Group gap="sm" mt="sm">
            {answer.isFetching ? (
              <Button color="red" variant="light" leftSection={<IconPlayerStop size={15} />} onClick={cancel}>
                {text.cancel}
              </Button>
            ) : (
              <Button
                leftSection={<IconPlayerPlay size={15} />}
                disabled={typed.trim() === ''}
                onClick={() => run(typed)}
              >
                {text.run}
              </Button>
            )}
            <Text size="xs" c="dimmed" visibleFrom="xs">
              <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> {text.keys}
            </Text>
          </Group>
        </Panel>
        <Saved statement={typed} onOpen={open} />
      </div>
      <Result statement={asked} answer={answer} />
    </PageBody>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly entries: readonly { readonly name: string; readonly about: string; readonly query: string }[];
  readonly onOpen: (query: string) => void;
}

const Choices = ({ label, entries, onOpen }: ChoicesProps) => (
  <Menu position="bottom-end" shadow="md" width={380}>
    <Menu.Target>
      <Button size="xs" variant="default">
        {label}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <ScrollArea.Autosize mah={420}>
        {entries.map(({ name, about, query }) => (
          <Menu.Item key={name} onClick={() => onOpen(query)}>
            {name}
            <Text size="xs" c="dimmed">
              {about}
            </Text>
          </Menu.Item>
        ))}
      </ScrollArea.Autosize>
    </Menu.Dropdown>
  </Menu>
);

function History({
  ran,
  forget,
  onOpen,
}: Pick<ReturnType<typeof useStatement>['history'], 'ran' | 'forget'> & {
  readonly onOpen: (query: string) => void;
}) {
  const { time } = useFormats();
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button size="xs" variant="default">
          {text.history}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ran.length === 0 && <Menu.Label>{text.historyEmpty}</Menu.Label>}
        <ScrollArea.Autosize mah={420}>
          {ran.map(({ query, at }) => (
            <Menu.Item key={query} onClick={() => onOpen(query)}>
              <div className={classes.ran}>{query.replace(/\s+/g, ' ').slice(0, 120)}</div>
              <Text size="xs" c="dimmed">
                {time(at)}
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        {ran.length > 0 && <Menu.Divider />}
        {ran.length > 0 && <Menu.Item onClick={forget}>{text.forget}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
