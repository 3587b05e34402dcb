/** The secrets that an applied document made, shown this once. */
import { Stack } from '@mantine/core';
import type { Applied } from '../../api/admin';
import { Secret } from '../../components/Secret';
import { installation as installationTexts } from '../../texts/installation';
import { keys as keysTexts } from '../../texts/keys';
import { texts } from '../../texts';

type Made = Applied['secrets'][number];

function nameKind(kind: Made['kind']): string {
  if (kind === 'partner_token') return texts.token;
  return kind === 'webhook_secret' ? installationTexts.workspace.webhookSecret : keysTexts.kinds[kind];
}
const buildTitle = ({ kind, project, partner, url }: Made) =>
  [project ?? partner, nameKind(kind), url].filter(Boolean).join(': ');

export const Secrets = ({ secrets, onClose }: { secrets: readonly Made[]; onClose: () => void }) => (
  <Stack gap="xs">
    {secrets.map((one) => (
      <Secret key={one.value} title={buildTitle(one)} value={one.value} onClose={onClose} />
    ))}
  </Stack>
);
