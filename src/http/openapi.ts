/** Health, metrics and the documentation itself for the OpenAPI document (docs/contract/running.md). */
import type { ApiSection } from '../openapi/operation';
import { docsOperations } from './docs';
import { healthOperations } from './health';

export const operationsApi: ApiSection = {
  tag: 'Operations',
  description: 'Whether the service is up, its metrics, and this document.',
  operations: [...healthOperations, ...docsOperations],
};
