/** Which section of the settings is open. */
import { choice, Type } from '../../search';

export const SECTIONS = ['general', 'windows', 'apps', 'domains', 'listings', 'channels', 'networks', 'rates'] as const;
export type Section = (typeof SECTIONS)[number];

export const settingsSearch = Type.Object({ section: choice(SECTIONS) });
