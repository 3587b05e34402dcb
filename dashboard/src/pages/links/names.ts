/** What campaigns and their channels are called. */
import { valueTexts } from '../../texts';
import type { Campaign } from './queries';
import { links as linksTexts } from '../../texts/links';

/** The system's own campaign has a name that nobody gave it. */
export const campaignName = ({ name, default_link }: Pick<Campaign, 'name' | 'default_link'>): string =>
  default_link ? linksTexts.standardName : name;

export function channelName({ custom_channels, google, meta, network_account }: Campaign): string {
  const [custom] = custom_channels;
  if (custom) return custom.name;
  if (google) return valueTexts.google ?? '';
  if (meta) return valueTexts.meta ?? '';
  return network_account?.name ?? '';
}
