/** What the OpenAPI document says of answers that are files. */
import { choice, Type } from '../lib/schema';
import type { Parameter } from '../openapi/operation';
import { FORMAT_NAMES, FORMATS } from './formats';

export const FILE_TYPES: readonly string[] = FORMAT_NAMES.map((name) => FORMATS[name].accept);

export const formatParameter = (byDefault: string): Parameter => ({
  name: 'format',
  in: 'query',
  description: 'The format of the answer; it wins over `Accept`.',
  schema: choice([...(byDefault === 'json' ? ['json'] : []), ...FORMAT_NAMES], { type: 'string', default: byDefault }),
});

export const bomParameter: Parameter = {
  name: 'bom',
  in: 'query',
  description: '`true`: a CSV file begins with a byte order mark, by which Excel knows UTF-8.',
  schema: Type.Boolean({ default: false }),
  example: true,
};
