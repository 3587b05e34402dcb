/** The errors of the attribution endpoints, text for text as docs/contract/ lists them. */
import { ApiError } from '../errors';

export const errors = {
  displayIdMissing: () => new ApiError(422, 'Required parameter missing.'),
  timestamp: () => new ApiError(400, 'Invalid timestamp format.'),
  notFound: () => new ApiError(404, 'Resource not found.'),
  identifierMissing: () => new ApiError(400, 'Either device_identifier or user_id is required.'),
  installNotFound: () => new ApiError(404, 'Install not found.'),
} as const;
