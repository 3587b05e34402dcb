/**
 * JSON Schemas from which TypeScript types follow (TypeBox): one definition validates, is documented and is checked by
 * the compiler.
 */
import {
  Type,
  type ArrayOptions,
  type ObjectOptions,
  type SchemaOptions,
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
} from '@sinclair/typebox';

export { Type, type Static, type TSchema };

type TypedSchema = TSchema & { readonly type: string };

/** One of these values. */
export const choice = <const T extends string | null>(values: readonly T[], options: SchemaOptions = {}) =>
  Type.Unsafe<T>({ ...options, enum: values });

/** A value of the schema, or null. */
export const nullable = <T extends TypedSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** The same, with what holds where nothing is sent. */
export const withDefault = <S extends TSchema>(schema: S, value: Static<S>) =>
  ({ ...schema, default: value }) as S & { readonly default: Static<S> };

/** Properties that may be missing. */
export const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in keyof P]: TOptional<P[Name]>;
  };

/** An object with these properties and no others. */
export const closed = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** A value of any of these JSON types. */
export const ofTypes = <T>(type: readonly string[], options: SchemaOptions = {}) =>
  Type.Unsafe<T>({ ...options, type });

/** An object with any names, whose values have one schema. */
export const mapTo = <T extends TSchema>(values: T, options: SchemaOptions = {}) =>
  Type.Unsafe<Record<string, Static<T>>>({ ...options, type: 'object', additionalProperties: values });

/** Any object. */
export const anyObject = Type.Unsafe<object>({ type: 'object' });

/** A time of RFC 3339. */
export const instant = Type.String({ format: 'date-time' });

/** The ID of a row, which PostgreSQL counts in 32 bits. */
export const rowId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** The name that people give to something. */
export const givenName = Type.String({ minLength: 1, maxLength: 255, format: 'one-line' });

export const list = <T extends TSchema>(items: T, options: ArrayOptions = {}) => Type.Array(items, options);

/** A schema that the OpenAPI document lists by its name, wherever it is used. */
export const named = <T extends TSchema>(title: string, schema: T): T => ({ title, ...schema });
