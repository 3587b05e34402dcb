/** One link: what it is, with the forms that change it. */
import { Button } from '@mantine/core';
import { IconPencil, IconTags, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { BackLink } from '../../components/BackLink';
import { ConfirmButton } from '../../components/ConfirmButton';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { PeriodPicker } from '../../components/PeriodPicker';
import { ShareMenu } from '../../components/ShareMenu';
import { usePeriod } from '../../period';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { curlCall } from '../../shell';
import { texts } from '../../texts';
import { links as text } from '../../texts/links';
import { EditLink } from './EditLink';
import { LinkDetails } from './LinkDetails';
import { LinkSettingsForm } from './LinkSettingsForm';
import { StateNotice } from './LinkState';
import { campaignName } from './names';
import {
  campaignsQuery,
  deleteCampaign,
  forget,
  linkQuery,
  previewQuery,
  type Campaign,
  type Link,
  type Preview,
} from './queries';
import { linkSearch } from './search';

const buildCall = (displayId: string) =>
  curlCall(`${window.location.origin}/api/v1/links/${displayId}/preview`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`],
  });

export default function LinkPage() {
  const { displayId = '' }: { displayId?: string } = useParams({ strict: false });
  const { id, name: project } = useProject();
  const [{ from, to }] = usePeriod();
  const formats = useFormats();
  const mayChange = useMay('links');
  const { data: preview, error, refetch } = useQuery(previewQuery(id, displayId));
  const { data: link } = useQuery(linkQuery(id, displayId));
  const campaign = useQuery(campaignsQuery(id, 'ALL')).data?.find((one) => one.display_id === displayId);
  const name = campaign ? campaignName(campaign) : (preview?.name ?? displayId);
  return (
    <PageBody>
      <BackLink {...toPage('/projects/$projectId/links', { projectId: id })}>{text.back}</BackLink>
      <PageHeader
        withZone
        title={name}
        about={campaign ? text.detail.more(formats.count(campaign.attributed_users), link?.tags ?? []) : texts.none}
      >
        <PeriodPicker withGranularity />
        {mayChange && link && <Settings link={link} />}
        {mayChange && campaign && preview && <Changes campaign={campaign} preview={preview} />}
        <ShareMenu
          name={name}
          about={texts.tools.imageAbout(project, name, formats.range(from, to), undefined)}
          call={buildCall(displayId)}
        />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {link && <StateNotice state={link.state} reason={link.reason} />}
      {!error && <LinkDetails displayId={displayId} preview={preview} link={link} />}
    </PageBody>
  );
}

function Settings({ link }: { readonly link: Link }) {
  const [{ settings }, setView] = useView(linkSearch);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTags size={15} />}
        onClick={() => setView({ settings: true })}
      >
        {text.settings.open}
      </Button>
      {settings && <LinkSettingsForm link={link} onClose={() => setView({ settings: false })} />}
    </>
  );
}

interface ChangesProps {
  readonly campaign: Campaign;
  readonly preview: Preview;
}

function Changes({ campaign, preview }: ChangesProps) {
  const [{ edit }, setView] = useView(linkSearch);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={15} />}
        onClick={() => setView({ edit: true })}
      >
        {texts.edit}
      </Button>
      {!campaign.default_link && campaign.network_account === null && <Remove campaign={campaign} />}
      <EditLink campaign={campaign} preview={preview} isOpen={edit} onClose={() => setView({ edit: false })} />
    </>
  );
}

function Remove({ campaign: { display_id: displayId, name } }: { readonly campaign: Campaign }) {
  const { id } = useProject();
  const navigate = useNavigate();
  return (
    <ConfirmButton
      size="xs"
      leftSection={<IconTrash size={15} />}
      label={texts.delete}
      title={texts.deleteTitle(name)}
      text={text.removeText}
      confirm={texts.delete}
      done={text.removed(name)}
      action={async () => {
        await deleteCampaign(id, displayId);
        await navigate(toPage('/projects/$projectId/links', { projectId: id }));
        await forget(id);
      }}
    />
  );
}
