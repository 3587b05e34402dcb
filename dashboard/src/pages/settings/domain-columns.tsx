/** The columns of the domains: what each is, what was last found out about it, and what can be done. */
import { Badge, Button, Group, Text } from '@mantine/core';
import type { Domain } from '../../api/admin';
import { ConfirmButton } from '../../components/ConfirmButton';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { texts } from '../../texts';
import { settings as settingsTexts } from '../../texts/settings';

const text = settingsTexts.domains;

interface Actions {
  readonly check: (domain: Domain) => void;
  readonly makePrimary: (domain: Domain) => void;
  readonly remove: (domain: Domain) => Promise<void>;
}

export const buildColumns = (actions: Actions): Column<Domain>[] => [
  {
    id: 'name',
    header: text.name,
    value: ({ name }) => name,
    cell: ({ name, primary, status }) => (
      <Group gap="xs">
        {name}
        {primary && (
          <Badge size="sm" variant="light">
            {text.primary}
          </Badge>
        )}
        {status === 'pending' && (
          <Badge size="sm" variant="light" color="yellow">
            {text.pending}
          </Badge>
        )}
      </Group>
    ),
  },
  { id: 'state', header: text.state, canSort: false, value: () => null, cell: (one) => <Found domain={one} /> },
  {
    id: 'action',
    header: texts.action,
    canSort: false,
    value: () => null,
    cell: (domain) => (
      <Group gap={6}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={text.checkNamed(domain.name)}
          onClick={() => actions.check(domain)}
        >
          {text.check}
        </Button>
        {!domain.primary && domain.status === 'proven' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${text.makePrimary}: ${domain.name}`}
            onClick={() => actions.makePrimary(domain)}
          >
            {text.makePrimary}
          </Button>
        )}
        <ConfirmButton
          label={texts.delete}
          name={texts.deleteNamed(domain.name)}
          title={texts.deleteTitle(domain.name)}
          text={text.removeText}
          confirm={texts.delete}
          done={text.removed}
          action={() => actions.remove(domain)}
        />
      </Group>
    ),
  },
];

const COLOURS = { works: 'teal', elsewhere: 'yellow', no_certificate: 'yellow', unknown: 'gray' } as const;

/** What is known of a domain without asking anew: a word, why, and when. */
function Found({ domain: { status, last_check: found } }: { readonly domain: Domain }) {
  if (status === 'pending') return <Words about={text.pendingText} />;
  if (!found)
    return (
      <>
        <Badge size="sm" variant="light" color="gray">
          {text.unchecked}
        </Badge>
        <Words about={text.uncheckedText} />
      </>
    );
  return (
    <>
      <Badge size="sm" variant="light" color={COLOURS[found.state]}>
        {text.states[found.state]}
      </Badge>
      {found.state !== 'works' && <Words about={found.msg} />}
      <Text size="xs" c="dimmed">
        {text.checkedAt} <Time value={found.checked_at} />
      </Text>
    </>
  );
}

const Words = ({ about }: { readonly about: string }) => (
  <Text size="xs" maw={420} style={{ whiteSpace: 'normal' }}>
    {about}
  </Text>
);
