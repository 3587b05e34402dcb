/** What happens on iOS, Android and desktop when somebody opens a link. */
import { Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBrandAndroid, IconBrandApple, IconDeviceDesktop } from '@tabler/icons-react';
import classes from './Links.module.css';
import type { Preview } from './queries';
import { links as linksTexts } from '../../texts/links';

const text = linksTexts.detail;
const ICONS = { ios: IconBrandApple, android: IconBrandAndroid, desktop: IconDeviceDesktop };
type Platform = keyof typeof ICONS;

export const Platforms = ({ platforms }: { platforms: Preview['platforms'] }) => (
  <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" mt="xs">
    {(Object.keys(ICONS) as Platform[]).map((platform) => (
      <OnPlatform key={platform} platform={platform} {...platforms[platform]} />
    ))}
  </SimpleGrid>
);

type Props = Preview['platforms']['ios'] & { readonly platform: Platform };

function OnPlatform({ platform, location, kind, why, opens_apps: apps }: Props) {
  const Icon = ICONS[platform];
  return (
    <Stack gap={6} className={classes.platform}>
      <Group gap={6} wrap="nowrap">
        <Icon size={17} aria-hidden />
        <Text size="sm" fw={600}>
          {text.platforms[platform]}
        </Text>
      </Group>
      <div>
        <Badge size="sm" variant="light" color={kind ? 'brand' : 'gray'}>
          {kind ? text.kinds[kind] : text.nowhere}
        </Badge>
      </div>
      {location && (
        <Anchor href={location} target="_blank" rel="noreferrer" size="sm" className={classes.target}>
          {location}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        {why}
      </Text>
      {apps.length > 0 && <Text size="xs">{text.opens(apps.join(', '))}</Text>}
    </Stack>
  );
}
