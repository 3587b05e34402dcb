/** One link: to copy, as a QR code, where it leads on each platform, a test click, and its form. */
import { Alert, Anchor, Button, Grid, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft, IconExternalLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { PageBody } from '../../components/PageBody';
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
import { campaignName } from './names';
import { Platforms } from './Platforms';
import { QrCode } from './QrCode';
import { campaignsQuery, deleteCampaign, forget, previewQuery, type Campaign, type Preview } from './queries';
import { linkSearch } from './search';
import { links as text } from '../../texts/links';
import { curlCall } from '../../shell';
import { toPage } from '../../addresses';

const buildCall = (displayId: string) =>
  curlCall(`${window.location.origin}/api/v1/links/${displayId}/preview`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`],
  });

export default function LinkPage() {
  const { displayId = '' }: { displayId?: string } = useParams({ strict: false });
  const [{ edit }, setView] = useView(linkSearch);
  const { id } = useProject();
  const formats = useFormats();
  const mayChange = useMay('links');
  const { data: preview, error, refetch } = useQuery(previewQuery(id, displayId));
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
        about={campaign ? text.detail.more(formats.count(campaign.attributed_users)) : texts.none}
      >
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
      {preview && !preview.active && (
        <Alert variant="light" color="yellow" p="xs">
          {text.detail.inactive}
        </Alert>
      )}
      {preview && preview.domain === null && (
        <Alert variant="light" color="yellow" p="xs">
          {text.noDomain}
        </Alert>
      )}
      {!error && <Details displayId={displayId} preview={preview} />}
    </PageBody>
  );
}

function Details({ displayId, preview }: { displayId: string; preview: Preview | undefined }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="md">
          <Panel title={text.detail.share} about={text.detail.shareAbout}>
            {preview ? <Addresses preview={preview} /> : <Skeleton height={34} mt="xs" />}
          </Panel>
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

function Addresses({ preview: { name, link, short_link: short } }: { preview: Preview }) {
  return (
    <Stack gap="xs" mt="xs">
      {short && <Address value={short} name={name} />}
      {link && link !== short && (
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
