/** Who gets the install, and why, in a sentence. */
import { Alert, Anchor, Badge, Group, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useFormats, useProject } from '../../session';
import { valueTexts, texts } from '../../texts';
import type { Decision, Explanation } from './questions';
import { ago } from './words';
import { installs as installsTexts } from '../../texts/installs';
import { install as text } from '../../texts/install';
import { toPage } from '../../addresses';

/** What decided, in words that fit this install. */
function explainDecision({ rule, seconds_to_install: seconds, why }: Decision, candidates: number): string {
  if (rule === 'organic') return candidates === 0 ? text.organicNone : text.organicSome(candidates);
  return text.sentences[rule]?.(ago(seconds ?? 0)) ?? why;
}

const REASONS = ['click_injection', 'install_hijacking'] as const;

export function Verdict({ decision, candidates }: { decision: Decision; candidates: Explanation['candidates'] }) {
  const { id } = useProject();
  const formats = useFormats();
  const winner = candidates.find(({ verdict }) => verdict === 'credited');
  const network = winner?.ad_network;
  const by = decision.partner ?? (network ? (valueTexts[network.toLowerCase()] ?? network) : null);
  const campaign = decision.campaign_display_id;
  return (
    <Paper component="section" p="md" aria-label={text.why}>
      <Group gap="xs" mb={4}>
        <Title order={2} size="h4">
          {campaign === null ? (
            text.organic
          ) : (
            <>
              {text.creditedTo('')}
              <Anchor
                component={Link}
                {...toPage('/projects/$projectId/campaigns/$displayId', { projectId: id, displayId: campaign })}
                underline="always"
                inherit
              >
                {decision.campaign_name ?? campaign}
              </Anchor>
              {by && ` ${text.of(by)}`}
            </>
          )}
        </Title>
        <Badge variant="light" color={campaign === null ? 'gray' : 'brand'}>
          {installsTexts.rules[decision.rule] ?? decision.rule}
        </Badge>
      </Group>
      <Text>{explainDecision(decision, candidates.length)}</Text>
      {decision.reinstall && <Text>{text.reinstall}</Text>}
      <Text size="xs" c="dimmed" mt={6}>
        {text.decidedAt(formats.time(decision.decided_at))}
      </Text>
      {REASONS.filter((reason) => decision[reason]).map((reason) => (
        <Alert
          key={reason}
          mt="sm"
          p="xs"
          variant="light"
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title={`${texts.suspicious}: ${installsTexts.reasons[reason]}`}
        >
          {installsTexts.reasonTexts[reason]}
        </Alert>
      ))}
    </Paper>
  );
}
