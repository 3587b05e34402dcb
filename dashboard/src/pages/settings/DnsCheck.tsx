/** What DNS says of a domain now, and what has to be entered there. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { domainsQuery, type Domain } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { useProject } from '../../session';
import { settings as settingsTexts } from '../../texts/settings';

const text = settingsTexts.domains;

/** Whether links of a checked domain work: it leads here, and browsers accept its certificate. */
const works = ({ ok, certificate }: { readonly ok: boolean; readonly certificate: { readonly ok: boolean } | null }) =>
  ok && certificate?.ok !== false;

export const checkKey = (project: number, domain: number) => ['domain check', project, domain];

export function DnsCheck({ domain }: { domain: Domain }) {
  const { id } = useProject();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: checkKey(id, domain.id),
    queryFn: async () => {
      const path = { id, domain_id: domain.id };
      const checked = await unwrapData(
        api.POST('/admin/v1/projects/{id}/domains/{domain_id}/check', { params: { path } }),
      );
      // The list has what was found, and the domain may be proven by now.
      void queryClient.invalidateQueries({ queryKey: domainsQuery(id).queryKey });
      return checked;
    },
    staleTime: 0,
  });
  const again = (
    <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
      {text.check}
    </Button>
  );
  return (
    <Panel title={domain.name} tools={again}>
      <Stack gap="sm" pt="xs" mih={120}>
        {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {data && (
          <>
            <Alert
              variant="light"
              color={works(data) ? 'teal' : 'yellow'}
              icon={works(data) ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
              role="status"
            >
              {data.certificate?.msg ?? data.msg}
            </Alert>
            {data.proof && (
              <div>
                <Text size="sm" fw={500} mb={4}>
                  {text.proof}
                </Text>
                <Snippet code={`${data.proof.name}.  ${data.proof.type} ${data.proof.value}`} />
              </div>
            )}
            {!data.ok && (
              <div>
                <Text size="sm" fw={500} mb={4}>
                  {text.record}
                </Text>
                <Snippet code={`${domain.name}.  ${data.expected}`} />
                {data.addresses.length > 0 && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {text.addresses(data.addresses.join(', '))}
                  </Text>
                )}
              </div>
            )}
            {data.records.length > 0 && (
              <Text size="sm">
                {text.recordNow}: {data.records.map(({ type, value }) => `${type} ${value}`).join(', ')}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}
