/** What a link is: to copy, as a QR code, its clicks, where it leads on each platform, and a test click. */
import { Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { CopyIcon } from '../../components/CopyIcon';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { curlCall } from '../../shell';
import { links as linksTexts } from '../../texts/links';
import { Clicks } from './Clicks';
import classes from './Links.module.css';
import { Platforms } from './Platforms';
import { QrCode } from './QrCode';
import type { Link, Preview } from './queries';

const text = linksTexts.detail;

interface Props {
  readonly displayId: string;
  readonly preview: Preview | undefined;
  readonly link: Link | undefined;
}

export function LinkDetails({ displayId, preview, link }: Props) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="md">
          <Panel title={text.share} about={text.shareAbout}>
            {preview ? (
              <Addresses preview={preview} short={link?.short_url ?? null} />
            ) : (
              <Skeleton height={34} mt="xs" />
            )}
          </Panel>
          <Clicks displayId={displayId} />
          <Panel title={text.preview} about={text.previewAbout}>
            {preview ? <Platforms platforms={preview.platforms} /> : <Skeleton height={150} mt="xs" />}
          </Panel>
          <Panel title={text.test} about={text.testAbout}>
            {preview?.short_link ? <TestClick link={preview.short_link} /> : <Skeleton height={34} mt="xs" />}
          </Panel>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="md">
          <Panel title={text.qr} about={text.qrAbout}>
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
              {text.appLink}
            </Text>
            <Text size="xs" c="dimmed">
              {text.appLinkAbout}
            </Text>
          </div>
          <Address value={link} name={text.appLink} />
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
    <CopyIcon value={value} label={linksTexts.copyLink(name)} variant="subtle" size="sm" />
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
        {text.testOpen}
      </Button>
      <Text size="xs" c="dimmed">
        {text.testShell}
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
