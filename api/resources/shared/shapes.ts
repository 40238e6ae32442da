import joi from 'joi';
import type { IdPrefix } from '../../../db/ids.js';

// The vocabulary of response schemas. Requests are described by the schemas that validate them.

/** Descriptions of the fields that mean the same in every object. */
const COMMON: Record<string, string> = {
  created_at: 'The time at which the object was created.',
  updated_at: 'The time at which the object was last changed.',
  workspace_id: 'The id of the workspace.',
};

/** A field of an object with its own description, or the common one of its name. */
function described(name: string, schema: joi.Schema): joi.Schema {
  const common = COMMON[name];
  return common && schema.$_getFlag('description') === undefined ? schema.description(common) : schema;
}

/** An object with exactly these fields, all required except those marked `.optional()`. */
export function shape(fields: Record<string, joi.Schema>): joi.ObjectSchema {
  const required = Object.entries(fields).map(([name, schema]) => [
    name,
    described(name, schema.$_getFlag('presence') ? schema : schema.required()),
  ]);
  return joi.object(Object.fromEntries(required));
}

/** What a schema accepts, or null. */
export const orNull = (schema: joi.Schema): joi.Schema => joi.alternatives(schema, joi.valid(null));

/** One page of a list. */
export const pageOf = (item: joi.Schema): joi.ObjectSchema =>
  shape({
    data: joi.array().items(item).description('The objects on this page.'),
    next_cursor: nullableText.description('The `cursor` of the next page. Null on the last page.'),
  });

/** An id with a prefix, such as `bk_01h2xcejqtf2nbrexx3vqjhp41`. */
export const idOf = (prefix: IdPrefix): joi.StringSchema =>
  joi.string().pattern(idPattern(prefix)).description(`The id: \`${prefix}_…\`.`);
export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);

export const anyUuid = joi.string().meta({ json: { format: 'uuid' } });
export const anyText = joi.string().allow('');
export const nullableText = anyText.allow(null);
/** ISO 8601, UTC, milliseconds. */
export const instant = joi.string().isoDate();
export const nullableInstant = instant.allow(null);
export const day = joi.string().pattern(/^\d{4}-\d{2}-\d{2}$/);
export const integer = joi.number().integer();
export const count = integer.min(0);
/** An amount in minor units of its currency. */
export const minor = integer;
export const currencyCode = joi.string().pattern(/^[A-Z]{3}$/);
export const money = shape({
  currency: currencyCode.description('The ISO 4217 code of the currency.'),
  amount_minor: minor.description('The amount in minor units of the currency, such as pence.'),
});
export const oneOf = (values: readonly string[]): joi.StringSchema => joi.string().valid(...values);
/** An object whose fields the document does not list. */
export const anyObject = joi.object().unknown();
/** A named schema of the document that is built from several resources, such as `Event`. */
export const component = (name: string): joi.Schema =>
  joi.any().meta({ json: { $ref: `#/components/schemas/${name}` } });
