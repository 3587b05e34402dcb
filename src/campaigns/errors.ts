/** The errors of the campaign endpoints, text for text as docs/contract/ lists them. */
import { ApiError } from '../errors';

const error = (status: number, message: string) => new ApiError(status, message);

export const errors = {
  invalidFilter: (filter: string) => error(400, `Invalid filter '${filter}'. Filter must be ACTIVE, INACTIVE or ALL.`),
  invalidLink: () => error(400, 'Invalid request parameters.'),
  invalidDomain: (domain: string) => error(400, `Invalid domain '${domain}'. Domain not found for this project.`),
  invalidChannel: (channel: string) => error(400, `Invalid channel '${channel}'. Channel not found.`),

  nameRequired: () => error(400, 'Campaign name is required!'),
  nameTooLong: () => error(400, 'Campaign name must be at most 255 characters!'),
  nameReserved: () => error(400, 'The campaign name MAIN_DOMAIN is reserved.'),
  invalidDeeplink: () => error(400, 'Invalid deeplink URL!'),
  invalidUrl: () => error(400, 'Please enter a valid URL (e.g., https://example.com/android)'),
  invalidShortlink: () => error(400, 'is_shortlink must be a boolean!'),
  invalidDisplayId: () =>
    error(
      400,
      'custom_display_id must be 1 to 64 letters, digits, hyphens or underscores, and not a path of the service!',
    ),
  duplicateDisplayId: (id: string) => error(409, `Campaign with custom_display_id '${id}' already exists!`),
  domainNotFound: (name: string) => error(400, `Domain '${name}' not found for this project!`),
  storeListingIds: () => error(400, 'store_listing_ids must be an array of non-empty strings!'),
  storeListingsNotFound: (ids: readonly string[]) =>
    error(400, `Store listing(s) not found for this project: ${ids.join(', ')}`),
  storeListingPlatforms: () =>
    error(400, 'Cannot assign multiple store listings with the same platform to a campaign!'),
  channelNames: () => error(400, 'custom_channel_names must be an array of strings!'),
  oneChannel: () => error(400, 'A campaign can have at most one custom channel'),
  channelEmpty: () => error(400, 'Custom channel name cannot be empty'),
  channelTooLong: () => error(400, 'Custom channel name must be less than 80 characters'),
  channelHtml: () => error(400, 'Custom channel name cannot contain HTML tags or scripts'),
  channelReserved: (name: string) => error(400, `"${name}" is a reserved channel name`),
  channelDeleted: () => error(409, 'Channel name conflicts with a previously deleted channel - pick a different name'),

  displayIdRequired: () => error(400, 'Campaign display ID is required!'),
  nothingToUpdate: () =>
    error(
      400,
      'At least one field (name, active, website, android_web_redirect or ios_web_redirect) is required for update!',
    ),
  websiteTwice: () =>
    error(400, 'website and link_for_desktop_users refer to the same field and cannot be sent with different values!'),
  nameEmpty: () => error(400, 'Campaign name cannot be empty!'),
  activeBoolean: () => error(400, 'Active field must be a boolean!'),
  systemRename: () => error(400, 'The system MAIN_DOMAIN campaign cannot be renamed.'),
  reservedRename: () => error(400, 'A campaign cannot be renamed to the reserved name MAIN_DOMAIN.'),
  notDeletable: () =>
    error(
      400,
      'Only manually-created service campaigns can be deleted. System (MAIN_DOMAIN) and ad-network campaigns ' +
        'cannot be deleted.',
    ),
  notFound: () => error(404, 'Campaign not found!'),
} as const;
