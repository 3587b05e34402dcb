/** Leads through the setting up of a project, step by step, and shows what was refused meanwhile. */
import { Accordion, Badge, Group, Skeleton, Text } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { setupQuery, type Setup, type SetupStep } from '../../api/admin';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { setup as text } from '../../texts/setup';
import { Refused } from './Refused';
import classes from './Setup.module.css';
import { AppStep, ClickStep, DomainStep, EventStep, KeyStep, SpendStep } from './steps';

/** What is sent shows soon; one who is done does not ask that often. */
const OPEN_MS = 3_000;
const DONE_MS = 30_000;

const BODIES: Readonly<Record<SetupStep, () => ReactNode>> = {
  app: AppStep,
  domain: DomainStep,
  key: KeyStep,
  event: EventStep,
  click: ClickStep,
  spend: SpendStep,
};

const isComplete = ({ steps }: Setup) => steps.every(({ done }) => done);

export default function SetupPage() {
  const { id } = useProject();
  const { data, error, refetch } = useQuery({
    ...setupQuery(id),
    refetchInterval: ({ state }) => (state.data && isComplete(state.data) ? DONE_MS : OPEN_MS),
    staleTime: 0,
  });
  const done = data?.steps.filter((step) => step.done).length ?? 0;
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.setup} about={text.about}>
        {data && (
          <Badge variant="light" color={isComplete(data) ? 'teal' : 'gray'} role="status">
            {isComplete(data) ? text.complete : text.progress(done, data.steps.length)}
          </Badge>
        )}
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data ? <Steps key={id} steps={data.steps} /> : !error && <Skeleton height={420} />}
      {data && <Refused refused={data.refused} />}
    </PageBody>
  );
}

/** The first step that is to be done is open. */
function Steps({ steps }: { steps: Setup['steps'] }) {
  const [opened, setOpened] = useState<string | null>(() => steps.find(({ done }) => !done)?.step ?? null);
  return (
    <Accordion variant="separated" value={opened} onChange={setOpened} classNames={{ item: classes.item }} order={2}>
      {steps.map(({ step, done }, at) => {
        const Body = BODIES[step];
        const [title, about] = text.steps[step];
        return (
          <Accordion.Item key={step} value={step} data-step={step} data-done={done || undefined}>
            <Accordion.Control
              icon={
                done ? (
                  <IconCircleCheckFilled size={22} className={classes.done} aria-label={text.done} />
                ) : (
                  <IconCircleDashed size={22} className={classes.open} aria-label={text.open} />
                )
              }
            >
              <Group gap={8}>
                <Text fw={600}>
                  {at + 1}. {title}
                </Text>
              </Group>
              <Text size="sm" c="dimmed">
                {about}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>{opened === step && <Body />}</Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}
