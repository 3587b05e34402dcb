/** The tools by their kind, and how the chosen one is told where ClickHouse is and who asks. */
import { Alert, Badge, Group, NavLink, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconInfoCircle, IconSearch } from '@tabler/icons-react';
import { CopyIcon } from '../../components/CopyIcon';
import { Snippet } from '../../components/Snippet';
import { useView } from '../../search';
import { engineers } from '../../texts/engineers';
import classes from './Connect.module.css';
import { connectSearch } from './search';
import { buildTunnel, ENGINES, findTools, GROUP_NAMES, GROUPS, readFacts, readPlace, TOOL_NAMES } from './tools';
import type { Place, Step, Tool } from './tools';

const text = engineers.connect;

interface Props {
  readonly address: string;
  readonly embedded: boolean;
  readonly user: string;
  readonly password: string;
}

const groupTools = (tools: readonly Tool[]) =>
  GROUPS.map((group) => ({ group, tools: tools.filter((tool) => readFacts(tool).group === group) })).filter(
    (one) => one.tools.length > 0,
  );
const OPTIONS = groupTools(TOOL_NAMES).map(({ group, tools }) => ({
  group: GROUP_NAMES[group],
  items: tools.map((value) => ({ value, label: readFacts(value).name })),
}));

export function Connections({ address, embedded, user, password }: Props) {
  const [{ tool, search = '' }, setView] = useView(connectSearch);
  const found = groupTools(findTools(search));
  return (
    <div className={classes.split}>
      <Stack gap="xs" visibleFrom="sm">
        <TextInput
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<IconSearch size={16} />}
          maxLength={100}
          value={search}
          onChange={({ currentTarget }) => setView({ search: currentTarget.value || undefined }, { replace: true })}
        />
        <nav aria-label={text.tool} className={classes.list}>
          {found.map(({ group, tools }) => (
            <div key={group} role="group" aria-label={GROUP_NAMES[group]}>
              <Text size="xs" c="dimmed" fw={600} className={classes.group}>
                {GROUP_NAMES[group]}
              </Text>
              {tools.map((one) => (
                <NavLink
                  key={one}
                  component="button"
                  label={readFacts(one).name}
                  active={one === tool}
                  aria-current={one === tool || undefined}
                  onClick={() => setView({ tool: one }, { replace: true })}
                />
              ))}
            </div>
          ))}
          {found.length === 0 && (
            <Text size="sm" c="dimmed" px={12} py="xs">
              {text.notFound}
            </Text>
          )}
        </nav>
      </Stack>
      <Select
        hiddenFrom="sm"
        searchable
        label={text.tool}
        value={tool}
        data={OPTIONS}
        allowDeselect={false}
        nothingFoundMessage={text.notFound}
        onChange={(next) => next && setView({ tool: next }, { replace: true })}
      />
      <Settings tool={tool} embedded={embedded} place={readPlace(address, user, password)} />
    </div>
  );
}

interface SettingsProps {
  readonly tool: Tool;
  readonly embedded: boolean;
  readonly place: Place;
}

function Settings({ tool, embedded, place }: SettingsProps) {
  const { name, where, engine, steps, notes, asks } = readFacts(tool);
  const isMissing = embedded && engine === 'server';
  return (
    <Stack gap="sm" component="section" aria-label={name} miw={0}>
      <div>
        <Group gap="xs">
          <Title order={3} size="h5">
            {name}
          </Title>
          <Badge variant="default" size="sm">
            {isMissing ? text.missing : text.works[engine]}
          </Badge>
        </Group>
        <Text size="sm">{where}</Text>
      </div>
      {embedded && engine === 'any' && (
        <Alert variant="light" icon={<IconInfoCircle size={18} />}>
          <Stack gap="xs">
            <Text size="sm">{text.local}</Text>
            <Snippet code={buildTunnel(place.address, text.host)} />
          </Stack>
        </Alert>
      )}
      {isMissing ? <Text size="sm">{text.http}</Text> : steps(place).map((step, at) => <Entry key={at} step={step} />)}
      {notes.length > 0 && !isMissing && (
        <Stack gap={4}>
          {notes.map((note) => (
            <Text key={note} size="sm" c="dimmed">
              {note}
            </Text>
          ))}
        </Stack>
      )}
      <Text size="xs" c="dimmed">
        {engine === 'none' ? ENGINES.none : `${ENGINES[engine]} ${text.asks(asks)}`}
      </Text>
    </Stack>
  );
}

function Entry({ step }: { step: Step }) {
  if (step.type === 'code') return <Snippet code={step.code} />;
  return (
    <div className={classes.fields} role="list">
      {step.fields.map(([label, value]) => (
        <div key={label} className={classes.field} role="listitem">
          <Text size="sm">{label}</Text>
          <span className={classes.value}>{value}</span>
          <CopyIcon value={value} name={label} variant="subtle" />
        </div>
      ))}
    </div>
  );
}
