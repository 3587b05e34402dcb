/** Colours, type and density: calm, with contrasts of at least 4.5 : 1 in light and dark. */
import {
  ActionIcon,
  createTheme,
  Drawer,
  Modal,
  Notification,
  Paper,
  Select,
  Skeleton,
  Table,
  Tooltip,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { texts } from './texts';

const brand: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6fd',
  '#bccaf8',
  '#97adf3',
  '#7792ee',
  '#5a79e6',
  '#3355d1',
  '#2a48b8',
  '#233c99',
  '#1c3079',
];
/** Cooler than Mantine's own, so that white surfaces stand out from a grey ground. */
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e3e6eb',
  '#d3d8e0',
  '#b8c0cc',
  '#8f99a8',
  '#697484',
  '#505a68',
  '#363f4b',
  '#1f2630',
];
const dark: MantineColorsTuple = [
  '#d5dae2',
  '#b4bcc8',
  '#929cab',
  '#667082',
  '#3b4453',
  '#2c3440',
  '#222933',
  '#191f28',
  '#131820',
  '#0d1117',
];

const SANS =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

/** Buttons that show a cross say what they do. */
const closeButtonProps = { 'aria-label': texts.close };
// The head of a page is its only banner.
const attributes = { header: { role: 'presentation' } };

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, gray, dark },
  fontFamily: SANS,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontFamily: SANS, fontWeight: '600', sizes: { h1: { fontSize: '1.375rem', lineHeight: '1.3' } } },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Ninety that pulse at once keep a core busy while the figures are computed, on a machine of the same size.
    Skeleton: Skeleton.extend({ defaultProps: { animate: false } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps, attributes } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps, attributes } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Select: Select.extend({ defaultProps: { comboboxProps: { shadow: 'md' } } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true, multiline: true, maw: 280 } }),
  },
});

/** What of Mantine's own is too pale to read, and the ground behind the surfaces. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02525' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': gray[9],
    '--mantine-color-dimmed': '#5b6573',
    '--mantine-color-placeholder': '#667080',
    '--mantine-color-error': '#b42318',
    '--mantine-color-gray-light-color': gray[8],
    '--mantine-color-teal-light-color': '#087443',
    '--mantine-color-blue-light-color': '#1c4f9c',
    '--mantine-color-red-light-color': '#a61b12',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--app-ground': gray[0],
    '--app-code': gray[0],
    '--app-line': gray[2],
    '--app-hover': gray[0],
    '--app-good': '#087443',
    '--app-bad': '#b42318',
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-text': '#e3e7ed',
    '--mantine-color-dimmed': '#a1abba',
    '--mantine-color-placeholder': '#929cab',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-anchor': brand[3],
    '--mantine-color-brand-light': 'rgba(119, 146, 238, 0.16)',
    '--mantine-color-brand-light-hover': 'rgba(119, 146, 238, 0.22)',
    '--mantine-color-brand-light-color': brand[2],
    '--mantine-color-brand-outline': brand[3],
    '--app-ground': dark[8],
    '--app-code': dark[6],
    '--app-line': dark[5],
    '--app-hover': dark[6],
    '--app-good': '#4cc38a',
    '--app-bad': '#ff8a80',
  },
});

/** Colours of series, in this order: told apart by people who see few colours, too. */
export const SERIES = {
  light: ['#3355d1', '#0f8a7e', '#c2570c', '#8b46c9', '#b8860b', '#c0336f', '#4d7c0f', '#57657a'],
  dark: ['#7c97f5', '#3cc0b1', '#f0935a', '#b98bea', '#dcb43c', '#ec7fae', '#97c552', '#9aa7ba'],
} as const;
