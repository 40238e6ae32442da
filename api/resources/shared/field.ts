import type joi from 'joi';
import { array, boolean, integer, nullable, number, object, oneOf, type Typed } from '../../http/typed.js';
import * as s from './shapes.js';

/** JSON of a value: times are text. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [K in keyof T]: Json<T[K]> }
      : T;

/** A field as requests send it and as responses return it. */
interface Field<Sent, Read> {
  sent: Typed<Sent>;
  read: Typed<Read>;
}

/**
 * Declares a field once, by its schema in requests. In responses it has no limits, because stored values may be older than
 * the limits. `read` replaces the schema in responses, `sent` the description in requests.
 */
export function field<T>(
  schema: Typed<T>,
  description: string,
  options?: { sent?: string },
): Field<T, Json<T>>;
export function field<T, R>(
  schema: Typed<T>,
  description: string,
  options: { sent?: string; read: Typed<R> },
): Field<T, R>;
export function field(
  schema: Typed<unknown>,
  description: string,
  { sent = description, read = unlimited(schema.describe()) }: { sent?: string; read?: Typed<unknown> } = {},
): Field<unknown, unknown> {
  return { sent: schema.description(sent), read: read.description(description) };
}

/** The two sides of a resource's fields, to build its bodies and its response from. */
export function sidesOf<F extends Record<string, Field<unknown, unknown>>>(fields: F) {
  const side = (of: 'sent' | 'read') =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[of]]));
  return {
    sent: side('sent') as { [K in keyof F]: F[K]['sent'] },
    read: side('read') as { [K in keyof F]: F[K]['read'] },
  };
}

/** A rule of a described schema. */
interface Rule {
  name: string;
  args?: { limit?: number };
}

const hasRule = ({ rules = [] }: joi.Description, name: string): boolean =>
  rules.some((rule: Rule) => rule.name === name);

/** The schema of the same kind of value. */
function kindOf(schema: joi.Description): Typed<unknown> {
  const { type, flags, allow = [], rules = [], items, keys, metas = [] } = schema;
  const { only } = (flags ?? {}) as { only?: boolean };
  const { format } = metas[0]?.json ?? {};
  switch (type) {
    case 'string':
      if (only) return oneOf(allow.filter((value: unknown) => value !== null));
      return format === 'uuid' ? s.anyUuid : format === 'date-time' ? s.instant : s.anyText;
    case 'number':
      if (!hasRule(schema, 'integer')) return number;
      return rules.some(({ name, args }: Rule) => name === 'min' && args!.limit! >= 0) ? s.count : integer;
    case 'array':
      return array(unlimited(items![0]!));
    case 'object':
      return object(
        Object.fromEntries(
          Object.entries(keys).map(([name, key]) => [name, unlimited(key as joi.Description)]),
        ),
      );
    default:
      return boolean;
  }
}

/** A described schema of requests without its limits. */
function unlimited(schema: joi.Description): Typed<unknown> {
  const { description, presence } = (schema.flags ?? {}) as { description?: string; presence?: 'required' };
  let kind = schema.allow?.includes(null) ? nullable(kindOf(schema)) : kindOf(schema);
  if (presence === 'required') kind = kind.required();
  return description ? kind.description(description) : kind;
}
