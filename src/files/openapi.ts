/** What the OpenAPI document says of answers that are files. */
import { ApiError } from '../errors';
import { choice, Type, withDefault } from '../lib/schema';
import { queryParameter, readAs } from '../openapi/operation';
import { FORMAT_NAMES, FORMATS, type Format } from './formats';

export const FILE_TYPES: readonly string[] = FORMAT_NAMES.map((name) => FORMATS[name].accept);

type Named = Format | 'json';

/** The format of the answer; undefined where it is not named. @throws ApiError 400 for an unknown one. */
export const formatParameter = (byDefault: Named) =>
  readAs(
    queryParameter(
      'format',
      'The format of the answer; it wins over `Accept`.',
      choice<Named>([...(byDefault === 'json' ? (['json'] as const) : []), ...FORMAT_NAMES], {
        type: 'string',
        default: byDefault,
      }),
    ),
    (sent) => {
      const named = (['json', ...FORMAT_NAMES] as const).find((one) => one === sent);
      if (sent !== undefined && !named)
        throw new ApiError(400, `Unknown format '${sent}'. Legal: json, ${FORMAT_NAMES.join(', ')}.`);
      return named;
    },
  );

export const bomParameter = queryParameter(
  'bom',
  '`true`: a CSV file begins with a byte order mark, by which Excel knows UTF-8.',
  withDefault(Type.Boolean(), false),
  true,
);
