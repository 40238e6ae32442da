import joi from 'joi';
import type { IdPrefix } from '../../../db/ids.js';
import {
  array,
  either,
  integer,
  nullable,
  string,
  typed,
  type Fields,
  type Mandatory,
  type Typed,
  type Values,
} from '../../http/typed.js';

// The vocabulary of response schemas. Requests are described by the schemas that validate them.

/** Descriptions of the fields that mean the same in every object. */
const COMMON: Record<string, string> = {
  created_at: 'The time at which the object was created.',
  updated_at: 'The time at which the object was last changed.',
  workspace_id: 'The id of the workspace.',
};

/** The fields of a response: each with a description, which may be the common one of its name. */
const returned = (fields: Fields): joi.SchemaMap =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const common = COMMON[name];
      const described =
        common && field.$_getFlag('description') === undefined ? field.description(common) : field;
      return [name, field.$_getFlag('presence') ? described : described.required()];
    }),
  );

/**
 * An object with these fields, all required except for those that are `optional`; with a name, one of the
 * document's components.
 */
export function shape<F extends Fields>(fields: F): Typed<Values<F, Mandatory<F>>, joi.ObjectSchema>;
export function shape<F extends Fields>(
  component: string | null,
  fields: F,
): Typed<Values<F, Mandatory<F>>, joi.ObjectSchema>;
export function shape(...given: [Fields] | [string | null, Fields]): Typed<unknown, joi.ObjectSchema> {
  const [component, fields] = given.length === 1 ? [null, given[0]] : given;
  return typed(joi.object(returned(fields)).meta({ component }));
}

/** A named shape: another one with further fields, which replace fields of the same name. */
export const extend = <T, F extends Fields>(
  component: string,
  base: Typed<T, joi.ObjectSchema>,
  fields: F,
): Typed<Omit<T, keyof F> & Values<F, Mandatory<F>>, joi.ObjectSchema> =>
  typed(base.keys(returned(fields)).meta({ component }));

/**
 * A shape that a presenter returns. Does not compile unless both have the same fields and compatible types.
 */
export const presentedBy = <T, P extends T & Record<Exclude<keyof P, keyof T>, never>>(
  _present: (...facts: never[]) => P,
  shape: Typed<T, joi.ObjectSchema>,
): Typed<T, joi.ObjectSchema> => shape;

export const orNull = <T>(schema: Typed<T>): Typed<T | null> => either(schema, typed<null>(joi.valid(null)));

export const pageSchema = <T>(item: Typed<T>) =>
  shape({
    data: array(item).description('The objects on this page.'),
    next_cursor: nullableText.description('The `cursor` of the next page. Null on the last page.'),
  });

/** An id with a prefix, such as `bk_01h2xcejqtf2nbrexx3vqjhp41`. */
export const prefixedId = (prefix: IdPrefix): Typed<string, joi.StringSchema> =>
  string.pattern(idPattern(prefix)).description(`The id, in the form \`${prefix}_…\`.`);
const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);

export const anyUuid = string.meta({ json: { format: 'uuid' } });
export const anyText = string.allow('');
export const nullableText = nullable(anyText);
/** ISO 8601, UTC, milliseconds. */
export const instant = string.isoDate();
export const nullableInstant = nullable(instant);
export const day = string.pattern(/^\d{4}-\d{2}-\d{2}$/);
export const count = integer.min(0);
/** An amount in minor units of its currency. */
export const minor = integer;
export const currencyCode = string.pattern(/^[A-Z]{3}$/);
export const money = shape('Money', {
  currency: currencyCode.description('The ISO 4217 code of the currency.'),
  amount_minor: minor.description('The amount in minor units of the currency, such as pence.'),
});
export const roomReference = shape('RoomReference', {
  id: anyUuid.description('The id of the room.'),
  name: anyText.description('The name of the room.'),
});
/** An object whose fields the document does not list. */
export const anyObject = typed<Record<string, unknown>>(joi.object().unknown());
/** A named schema of the document that is built from several resources, such as `Event`. */
export const component = (name: string): Typed<unknown> =>
  typed(joi.any().meta({ json: { $ref: `#/components/schemas/${name}` } }));
