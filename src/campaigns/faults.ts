/** The errors of the campaign endpoints, text for text as spec.md and decisions.md §3 list them. */
import { ApiError } from '../errors';

const fault = (status: number, message: string) => new ApiError(status, message);

export const faults = {
  invalidFilter: (filter: string) => fault(400, `Invalid filter '${filter}'. Filter must be ACTIVE, INACTIVE or ALL.`),
  invalidLink: () => fault(400, 'Invalid request parameters.'),
  invalidDomain: (domain: string) => fault(400, `Invalid domain '${domain}'. Domain not found for this project.`),
  invalidChannel: (channel: string) => fault(400, `Invalid channel '${channel}'. Channel not found.`),

  nameRequired: () => fault(400, 'Campaign name is required!'),
  nameTooLong: () => fault(400, 'Campaign name must be at most 255 characters!'),
  nameReserved: () => fault(400, 'The campaign name MAIN_DOMAIN is reserved.'),
  invalidDeeplink: () => fault(400, 'Invalid deeplink URL!'),
  invalidUrl: () => fault(400, 'Please enter a valid URL (e.g., https://example.com/android)'),
  invalidShortlink: () => fault(400, 'is_shortlink must be a boolean!'),
  invalidDisplayId: () =>
    fault(
      400,
      'custom_display_id must be 1 to 64 letters, digits, hyphens or underscores, and not a path of the service!',
    ),
  duplicateDisplayId: (id: string) => fault(409, `Campaign with custom_display_id '${id}' already exists!`),
  domainNotFound: (name: string) => fault(400, `Domain '${name}' not found for this project!`),
  storeListingIds: () => fault(400, 'store_listing_ids must be an array of non-empty strings!'),
  storeListingsNotFound: (ids: readonly string[]) =>
    fault(400, `Store listing(s) not found for this project: ${ids.join(', ')}`),
  storeListingPlatforms: () =>
    fault(400, 'Cannot assign multiple store listings with the same platform to a campaign!'),
  channelNames: () => fault(400, 'custom_channel_names must be an array of strings!'),
  oneChannel: () => fault(400, 'A campaign can have at most one custom channel'),
  channelEmpty: () => fault(400, 'Custom channel name cannot be empty'),
  channelTooLong: () => fault(400, 'Custom channel name must be less than 80 characters'),
  channelHtml: () => fault(400, 'Custom channel name cannot contain HTML tags or scripts'),
  channelReserved: (name: string) => fault(400, `"${name}" is a reserved channel name`),
  channelDeleted: () => fault(409, 'Channel name conflicts with a previously deleted channel - pick a different name'),

  displayIdRequired: () => fault(400, 'Campaign display ID is required!'),
  nothingToUpdate: () =>
    fault(
      400,
      'At least one field (name, active, website, android_web_redirect or ios_web_redirect) is required for update!',
    ),
  websiteTwice: () =>
    fault(400, 'website and link_for_desktop_users refer to the same field and cannot be sent with different values!'),
  nameEmpty: () => fault(400, 'Campaign name cannot be empty!'),
  activeBoolean: () => fault(400, 'Active field must be a boolean!'),
  systemRename: () => fault(400, 'The system MAIN_DOMAIN campaign cannot be renamed.'),
  reservedRename: () => fault(400, 'A campaign cannot be renamed to the reserved name MAIN_DOMAIN.'),
  notDeletable: () =>
    fault(
      400,
      'Only manually-created service campaigns can be deleted. System (MAIN_DOMAIN) and ad-network campaigns cannot be deleted.',
    ),
  notFound: () => fault(404, 'Campaign not found!'),
} as const;
