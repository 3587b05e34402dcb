/** A link to the page of a campaign, for the period and the verdict of the list. */
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { readJudged } from '../../search';
import { useProject } from '../../session';
import type { Row } from './rows';

export const toCampaign = (projectId: number, displayId: string) =>
  toPage('/projects/$projectId/campaigns/$displayId', { projectId, displayId }, readJudged);

export const CampaignLink = ({ row: { name, path }, ...props }: AnchorProps & { row: Row }) => (
  <Anchor component={Link} {...toCampaign(useProject().id, path[0] ?? '')} fw={500} {...props}>
    {name}
  </Anchor>
);
