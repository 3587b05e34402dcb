/** The errors of ClickHouse that the service tells apart: by ClickHouse's own names, with the codes that it answers. */
const CODES = {
  CANNOT_PARSE_TEXT: '6',
  NO_SUCH_COLUMN_IN_TABLE: '16',
  CANNOT_PARSE_ESCAPE_SEQUENCE: '25',
  CANNOT_PARSE_QUOTED_STRING: '26',
  CANNOT_PARSE_INPUT_ASSERTION_FAILED: '27',
  BAD_ARGUMENTS: '36',
  CANNOT_PARSE_DATE: '38',
  CANNOT_PARSE_DATETIME: '41',
  ILLEGAL_TYPE_OF_ARGUMENT: '43',
  UNKNOWN_FUNCTION: '46',
  UNKNOWN_IDENTIFIER: '47',
  TYPE_MISMATCH: '53',
  UNKNOWN_TABLE: '60',
  SYNTAX_ERROR: '62',
  ARGUMENT_OUT_OF_BOUND: '69',
  CANNOT_CONVERT_TYPE: '70',
  CANNOT_PARSE_NUMBER: '72',
  INCORRECT_DATA: '117',
  TOO_LARGE_ARRAY_SIZE: '128',
  TOO_LARGE_STRING_SIZE: '131',
  ILLEGAL_DIVISION: '153',
  TOO_MANY_ROWS: '158',
  TIMEOUT_EXCEEDED: '159',
  TOO_SLOW: '160',
  CANNOT_ALLOCATE_MEMORY: '173',
  SET_SIZE_LIMIT_EXCEEDED: '191',
  UNKNOWN_USER: '192',
  WRONG_PASSWORD: '193',
  REQUIRED_PASSWORD: '194',
  TOO_MANY_SIMULTANEOUS_QUERIES: '202',
  NOT_AN_AGGREGATE: '215',
  MEMORY_LIMIT_EXCEEDED: '241',
  TOO_MANY_BYTES: '307',
  VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE: '321',
  CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN: '349',
  CANNOT_PARSE_UUID: '376',
  TOO_MANY_ROWS_OR_BYTES: '396',
  DECIMAL_OVERFLOW: '407',
  CANNOT_PARSE_BOOL: '467',
  VIOLATED_CONSTRAINT: '469',
  ACCESS_DENIED: '497',
  ACCESS_STORAGE_FOR_INSERTION_NOT_FOUND: '514',
  AUTHENTICATION_FAILED: '516',
  CANNOT_PARSE_IPV4: '675',
  CANNOT_PARSE_IPV6: '676',
  UNKNOWN_ELEMENT_OF_ENUM: '691',
} as const;
export type ErrorName = keyof typeof CODES;

const names = new Map(Object.entries(CODES).map(([name, code]) => [code as string, name as ErrorName]));

/** The name of an error by its code; undefined for one that nobody tells apart, and for errors of other origin. */
export function readErrorName(error: unknown): ErrorName | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' || typeof code === 'number' ? names.get(String(code)) : undefined;
}

/** Whether an error has one of these names. */
export const hasName = (error: unknown, wanted: ReadonlySet<ErrorName>): boolean => {
  const name = readErrorName(error);
  return name !== undefined && wanted.has(name);
};
