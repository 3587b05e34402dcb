/** In place of the list, where a project has no domain that links could have. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { EmptyState } from '../../components/EmptyState';
import { Panel } from '../../components/Panel';
import { useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { links as text } from '../../texts/links';

export function DomainFirst({ unproven }: { readonly unproven: string | undefined }) {
  const { id } = useProject();
  const mayAdd = useMay('settings');
  return (
    <Panel title={texts.titles.links}>
      <EmptyState
        title={text.domainFirst}
        text={unproven === undefined ? text.domainFirstText : text.domainUnproven(unproven)}
      >
        {mayAdd && (
          <Button
            size="xs"
            component={Link}
            {...toPage('/projects/$projectId/settings', { projectId: id }, { section: 'domains' })}
          >
            {unproven === undefined ? text.addDomain : text.toDomains}
          </Button>
        )}
      </EmptyState>
    </Panel>
  );
}
