/** The user: profile, light or dark, signing out. */
import { ActionIcon, Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconBook2, IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import { useMe } from '../session';
import { texts } from '../texts';
import { leave } from './leave';

const { navigation } = texts;
const SCHEMES = [
  ['light', navigation.light, IconSun],
  ['dark', navigation.dark, IconMoon],
  ['auto', navigation.auto, IconDeviceDesktop],
] as const satisfies readonly (readonly [MantineColorScheme, string, unknown])[];

export function UserMenu() {
  const { user } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useMutation({ mutationFn: () => api.POST('/auth/v1/sign-out'), onSettled: leave });
  return (
    <Menu position="bottom-end" shadow="md" width={230}>
      <Menu.Target>
        <ActionIcon size="lg" radius="xl" variant="light" color="brand" aria-label={navigation.account}>
          <IconUser size={18} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
          {texts.titles.profile}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook2 size={16} />}>
          {navigation.reference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{navigation.appearance}</Menu.Label>
        {SCHEMES.map(([scheme, label, Icon]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
            leftSection={<Icon size={16} />}
            rightSection={colorScheme === scheme && <IconCheck size={16} />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
