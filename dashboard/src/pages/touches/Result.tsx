/** What is known of the click or impression that was searched for. */
import { Anchor, Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toPage } from '../../addresses';
import { touchesQuery, type Asker, type FoundTouches } from '../../api/touches';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Time } from '../../components/Values';
import { texts } from '../../texts';
import { refusalText } from '../../texts/refusals';
import { touches as text } from '../../texts/touches';
import { partner as partnerTexts } from '../../texts/partner';
import { RefusedList } from './RefusedList';
import classes from './Touches.module.css';

type Touch = FoundTouches['touches'][number];
type Considered = Touch['installs'][number];

const COLORS = { credited: 'teal', not_credited: 'yellow', waiting: 'gray' } as const;

export function Result({ asker, search }: { asker: Asker; search: string }) {
  const { data, error, refetch } = useQuery(touchesQuery(asker, search));
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} mt="md" />;
  if (data.touches.length === 0 && data.refused.length === 0)
    return <EmptyState title={text.nothing} text={text.nothingText} />;
  return (
    <Stack gap="lg" mt="md">
      {data.touches.map((touch) => (
        <TouchCard key={`${touch.touch_type} ${touch.touch_id}`} asker={asker} touch={touch} />
      ))}
      {data.refused.length > 0 && (
        <div>
          <Title order={3} size="h6" mb={4}>
            {text.refusedTitle}
          </Title>
          {[...new Set(data.refused.map(({ reason }) => reason))].map((reason) => (
            <Text key={reason} size="sm">
              <b>{refusalText(reason).label}.</b> {refusalText(reason).help}
            </Text>
          ))}
          <RefusedList asker={asker} rows={data.refused} label={text.refusedTitle} />
        </div>
      )}
    </Stack>
  );
}

function TouchCard({ asker, touch }: { asker: Asker; touch: Touch }) {
  const passed = (['s2', 's3', 's4'] as const).flatMap((name) =>
    touch[name] === null ? [] : `${name}=${touch[name]}`,
  );
  return (
    <div>
      <Group gap="xs" mb={6}>
        <Title order={3} size="h6">
          {text.types[touch.touch_type]} {text.sources[touch.source]}
        </Title>
        <Badge variant="light" tt="none" color={COLORS[touch.state]}>
          {text.states[touch.state]}
        </Badge>
      </Group>
      <dl className={classes.facts}>
        {touch.tid && <Fact name="tid" children={touch.tid} />}
        <Fact name={touch.touch_type === 'click' ? 'click_id' : 'impression_id'} children={touch.touch_id} />
        <Fact name={text.happened} children={<Time value={touch.touch_time} />} />
        <Fact name={text.accepted} children={<Time value={touch.received_at} />} />
        {touch.campaign && (
          <Fact name={texts.campaign} children={`${touch.campaign.name} · ${touch.campaign.display_id}`} />
        )}
        <Fact name={partnerTexts.project} children={touch.project.name} />
        {asker.area === 'project' && touch.partner && <Fact name={texts.partner} children={touch.partner.name} />}
        {passed.length > 0 && <Fact name={text.passed} children={passed.join(' · ')} />}
      </dl>
      {touch.state === 'waiting' ? (
        <Text size="sm" c="dimmed">
          {touch.matches_by.length > 0 ? text.waiting(touch.matches_by.join(', ')) : text.waitingForNothing}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={500}>
            {text.installs}
          </Text>
          <ul className={classes.installs}>
            {touch.installs.map((one) => (
              <Install key={`${one.install_time} ${one.install_id} ${one.verdict}`} asker={asker} install={one} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Install({ asker, install }: { asker: Asker; install: Considered }) {
  const { install_id, install_time, kind, why, verdict, credited_to } = install;
  return (
    <li>
      <Text size="sm" span>
        {install_id === null ? (
          <b>{text.kinds[kind]}</b>
        ) : (
          <Anchor
            component={Link}
            inherit
            {...toPage('/projects/$projectId/installs/$installId', { projectId: asker.id, installId: install_id })}
          >
            {text.kinds[kind]} {install_id}
          </Anchor>
        )}{' '}
        <Time value={install_time} />: {why}{' '}
        <Text span size="xs" c="dimmed" ff="monospace">
          {verdict}
        </Text>
        {verdict !== 'credited' && credited_to && ` ${text.creditedTo} ${credited_to.name}.`}
      </Text>
    </li>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
