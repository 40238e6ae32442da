import type joi from 'joi';
import {
  allowedBy,
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  oneOf,
  type Infer,
  type Typed,
} from '../../http/typed.js';
import { readMeta } from '../../http/meta.js';
import * as s from './shapes.js';

/** The JSON type of a value: times are strings. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [K in keyof T]: Json<T[K]> }
      : T;

/** A field as requests send it and as responses return it. */
interface Field<Sent extends Typed<unknown>, Read> {
  sent: Sent;
  read: Typed<Read>;
}

/**
 * Declares a field once, by its schema in requests. In responses it has no limits, because stored values may
 * be older than the limits. `read` replaces the schema in responses, `sent` the description in requests.
 */
export function field<S extends Typed<unknown>>(
  schema: S,
  description: string,
  options?: { sent?: string },
): Field<S, Json<Infer<S>>>;
export function field<S extends Typed<unknown>, R>(
  schema: S,
  description: string,
  options: { sent?: string; read: Typed<R> },
): Field<S, R>;
export function field(
  schema: Typed<unknown>,
  description: string,
  { sent = description, read = unlimited(schema) }: { sent?: string; read?: Typed<unknown> } = {},
): Field<Typed<unknown>, unknown> {
  return { sent: schema.description(sent), read: read.description(description) };
}

/** The two sides of a resource's fields, to build its bodies and its response from. */
export function splitSides<F extends Record<string, Field<Typed<unknown>, unknown>>>(fields: F) {
  const side = (of: 'sent' | 'read') =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[of]]));
  return {
    sent: side('sent') as { [K in keyof F]: F[K]['sent'] },
    read: side('read') as { [K in keyof F]: F[K]['read'] },
  };
}

/** The internal parts of a joi schema. */
interface Terms {
  items?: joi.Schema[];
  keys?: { key: string; schema: joi.Schema }[] | null;
}
const joiTerms = (schema: joi.Schema): Terms => (schema as unknown as { $_terms: Terms }).$_terms;

/** The schema of the same kind of value. */
function bareSchema(schema: joi.Schema): Typed<unknown> {
  const { items, keys } = joiTerms(schema);
  const format = readMeta(schema).json?.format;
  switch (schema.type) {
    case 'string':
      if (schema.$_getFlag('only'))
        return oneOf(allowedBy(schema).filter((value): value is string => value !== null));
      return format === 'uuid' ? s.anyUuid : format === 'date-time' ? s.instant : s.anyText;
    case 'number':
      if (!schema.$_getRule('integer')) return number;
      return schema.$_getRule('min')?.args?.limit >= 0 ? s.count : integer;
    case 'array':
      return array(unlimited(items![0]!));
    case 'object':
      return object(Object.fromEntries(keys!.map(({ key, schema }) => [key, unlimited(schema)])));
    default:
      return boolean;
  }
}

/** A schema of requests without its limits. */
function unlimited(schema: joi.Schema): Typed<unknown> {
  const description: string | undefined = schema.$_getFlag('description');
  let kind = allowedBy(schema).includes(null) ? nullable(bareSchema(schema)) : bareSchema(schema);
  if (schema.$_getFlag('presence') === 'required') kind = kind.required();
  const { component, fixed, deprecated } = readMeta(schema);
  if (component || fixed || deprecated) kind = kind.meta({ component, fixed, deprecated });
  return description ? kind.description(description) : kind;
}
