/** What PostgreSQL refuses for a rule of the schema. */
import { ApiError } from '../errors';

/** Its codes for a value that must be unique, and for a row that others refer to. */
const UNIQUE = '23505';
const FOREIGN_KEY = '23503';

const readCode = (error: unknown) => (error as { code?: string }).code;

export const isInUse = (error: unknown): boolean => readCode(error) === FOREIGN_KEY;

/** For `catch`. @throws ApiError 409 where another thing of this kind has the name. */
export const refuseTaken =
  (what: string) =>
  (error: unknown): never => {
    throw readCode(error) === UNIQUE ? new ApiError(409, `name: another ${what} has it`) : error;
  };
