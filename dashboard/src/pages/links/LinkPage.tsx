/** One link: to copy, as a QR code, where it leads on each platform, a test click, and its form. */
import { Anchor, Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft, IconExternalLink, IconPencil, IconTags, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { PageBody } from '../../components/PageBody';
import { PeriodPicker } from '../../components/PeriodPicker';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { ShareMenu } from '../../components/ShareMenu';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { texts } from '../../texts';
import { CopyIcon } from './CopyIcon';
import { EditLink } from './EditLink';
import classes from './Links.module.css';
import { Clicks } from './Clicks';
import { LinkSettingsForm } from './LinkSettingsForm';
import { StateNotice } from './LinkState';
import { campaignName } from './names';
import { Platforms } from './Platforms';
import { QrCode } from './QrCode';
import {
  campaignsQuery,
  deleteCampaign,
  forget,
  linkQuery,
  previewQuery,
  type Campaign,
  type Link as LinkRow,
  type Preview,
} from './queries';
import { linkSearch } from './search';
import { links as text } from '../../texts/links';
import { curlCall } from '../../shell';
import { toPage } from '../../addresses';
import { Modal } from '../../components/layers';

const buildCall = (displayId: string) =>
  curlCall(`${window.location.origin}/api/v1/links/${displayId}/preview`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`],
  });

export default function LinkPage() {
  const { displayId = '' }: { displayId?: string } = useParams({ strict: false });
  const [{ edit, settings }, setView] = useView(linkSearch);
  const { id } = useProject();
  const formats = useFormats();
  const mayChange = useMay('links');
  const { data: preview, error, refetch } = useQuery(previewQuery(id, displayId));
  const { data: link } = useQuery(linkQuery(id, displayId));
  const list = useQuery(campaignsQuery(id, 'ALL'));
  const campaign = list.data?.find((one) => one.display_id === displayId);
  const name = campaign ? campaignName(campaign) : (preview?.name ?? displayId);
  return (
    <PageBody>
      <Anchor component={Link} {...toPage('/projects/$projectId/links', { projectId: id })} size="sm">
        <Group gap={4} component="span">
          <IconArrowLeft size={15} aria-hidden />
          {text.back}
        </Group>
      </Anchor>
      <PageHeader
        title={name}
        about={campaign ? text.detail.more(formats.count(campaign.attributed_users), link?.tags ?? []) : texts.none}
      >
        <PeriodPicker withGranularity />
        {mayChange && link && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTags size={15} />}
            onClick={() => setView({ settings: true })}
          >
            {text.settings.open}
          </Button>
        )}
        {mayChange && link && settings && <LinkSettingsForm link={link} onClose={() => setView({ settings: false })} />}
        {mayChange && campaign && preview && (
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
        )}
        <ShareMenu name={name} call={buildCall(displayId)} />
      </PageHeader>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {link && <StateNotice state={link.state} reason={link.reason} />}
      {!error && <Details displayId={displayId} preview={preview} link={link} />}
    </PageBody>
  );
}

interface DetailsProps {
  readonly displayId: string;
  readonly preview: Preview | undefined;
  readonly link: LinkRow | undefined;
}

function Details({ displayId, preview, link }: DetailsProps) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="md">
          <Panel title={text.detail.share} about={text.detail.shareAbout}>
            {preview ? (
              <Addresses preview={preview} short={link?.short_url ?? null} />
            ) : (
              <Skeleton height={34} mt="xs" />
            )}
          </Panel>
          <Clicks displayId={displayId} />
          <Panel title={text.detail.preview} about={text.detail.previewAbout}>
            {preview ? <Platforms platforms={preview.platforms} /> : <Skeleton height={150} mt="xs" />}
          </Panel>
          <Panel title={text.detail.test} about={text.detail.testAbout}>
            {preview?.short_link ? <TestClick link={preview.short_link} /> : <Skeleton height={34} mt="xs" />}
          </Panel>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="md">
          <Panel title={text.detail.qr} about={text.detail.qrAbout}>
            <QrCode displayId={displayId} />
          </Panel>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

interface AddressesProps {
  readonly preview: Preview;
  /** The shortest form of the link. */
  readonly short: string | null;
}

function Addresses({ preview: { name, link, short_link: shareable }, short }: AddressesProps) {
  return (
    <Stack gap="xs" mt="xs">
      {short && <Address value={short} name={name} />}
      {link && link !== shareable && (
        <>
          <div>
            <Text size="sm" fw={500}>
              {text.detail.appLink}
            </Text>
            <Text size="xs" c="dimmed">
              {text.detail.appLinkAbout}
            </Text>
          </div>
          <Address value={link} name={text.detail.appLink} />
        </>
      )}
    </Stack>
  );
}

const Address = ({ value, name }: { value: string; name: string }) => (
  <Group gap="xs" wrap="nowrap">
    <div className={classes.field} tabIndex={0} role="group" aria-label={name}>
      {value}
    </div>
    <CopyIcon value={value} label={text.copyLink(name)} />
  </Group>
);

function TestClick({ link }: { link: string }) {
  const { host, pathname, search } = new URL(link);
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noreferrer"
        variant="default"
        size="xs"
        leftSection={<IconExternalLink size={15} />}
      >
        {text.detail.testOpen}
      </Button>
      <Text size="xs" c="dimmed">
        {text.detail.testShell}
      </Text>
      <Snippet
        code={curlCall(`${window.location.origin}${pathname}${search}`, {
          options: '-i ',
          headers: [`Host: ${host}`, 'User-Agent: Mozilla/5.0'],
        })}
      />
    </Stack>
  );
}

function Remove({ campaign }: { campaign: Campaign }) {
  const [isOpen, setOpen] = useState(false);
  const { id } = useProject();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteCampaign(id, campaign.display_id),
    onSuccess: async () => {
      notifications.show({ message: text.removed(campaign.name) });
      await navigate(toPage('/projects/$projectId/links', { projectId: id }));
      await forget(id);
    },
  });
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconTrash size={15} />} onClick={() => setOpen(true)}>
        {texts.delete}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={texts.deleteTitle(campaign.name)} centered>
        <Stack gap="sm">
          <Text size="sm">{text.removeText}</Text>
          {remove.error && <FormError message={readMessage(remove.error)} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setOpen(false)}>
              {texts.cancel}
            </Button>
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {texts.delete}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
