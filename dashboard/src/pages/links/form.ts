/** What the forms of links check before the service does; it has the last word. */
import { links as linksTexts } from '../../texts/links';

const text = linksTexts.form;
const MAX_NAME = 255;
const MAX_CHANNEL = 79;

const isUrl = (value: string, scheme: RegExp) => scheme.test(value) && URL.canParse(value);

export const checks = {
  name: (value: string) => {
    if (value.trim() === '') return text.required;
    if (value.trim() === 'MAIN_DOMAIN') return text.reserved;
    return value.length > MAX_NAME ? text.tooLong : null;
  },
  webUrl: (value: string) => (value === '' || isUrl(value, /^https?:\/\//i) ? null : text.url),
  deeplink: (value: string) => (value === '' || isUrl(value, /^[a-z][a-z0-9+.-]*:/i) ? null : text.deeplinkUrl),
  displayId: (value: string) => (/^[A-Za-z0-9_-]{0,64}$/.test(value) ? null : text.id),
  channel: (value: string) => (value.length > MAX_CHANNEL ? text.channelLong : null),
};

/** The names of a channel as the API takes them. */
export const toChannels = (name: string): string[] => (name.trim() === '' ? [] : [name.trim()]);

/** What a field says of itself, as properties of Mantine's inputs. */
export function fieldText(field: keyof typeof text.fields) {
  const { label, about } = text.fields[field];
  return { label, description: about };
}
