import joi from 'joi';
import type { FieldError } from '../../domain/errors.js';
import { closestField } from './closest-field.js';

/** The limit of a rule with its noun: `1 item`, `20 items`. */
const limitPhrase = (noun: string): string => `{{#limit}} {{if(#limit == 1, '${noun}', '${noun}s')}}`;

/** The messages about a field, by joi's error type. Compiled once. */
export const FIELD_MESSAGES = Object.fromEntries(
  Object.entries({
    'any.only': `{{#label}} must be {if(#valids.length == 1, '', 'one of ')}{{#valids}}`,
    'any.required': '{{#label}} is required',
    'array.base': '{{#label}} must be an array',
    'array.includesRequiredUnknowns': '{{#label}} is missing a required item',
    'array.length': `{{#label}} must have ${limitPhrase('item')}`,
    'array.max': `{{#label}} must have at most ${limitPhrase('item')}`,
    'array.min': `{{#label}} must have at least ${limitPhrase('item')}`,
    'array.orderedLength': `{{#label}} must have at most ${limitPhrase('item')}`,
    'array.sparse': '{{#label}} is missing',
    'array.unique': '{{#label}} must not repeat an earlier item',
    'boolean.base': '{{#label}} must be true or false',
    'number.base': '{{#label}} must be a number',
    'number.greater': '{{#label}} must be greater than {{#limit}}',
    'number.infinity': '{{#label}} is out of range',
    'number.integer': '{{#label}} must be an integer',
    'number.max': '{{#label}} must be at most {{#limit}}',
    'number.min': '{{#label}} must be at least {{#limit}}',
    'number.precision': `{{#label}} must have at most ${limitPhrase('decimal place')}`,
    'number.unsafe': '{{#label}} is out of range',
    'object.base': '{{#label}} must be an object',
    'string.base': '{{#label}} must be a string',
    'string.email': '{{#label}} must be an email address',
    'string.empty': '{{#label}} must not be empty',
    'string.max': `{{#label}} must have at most ${limitPhrase('character')}`,
    'string.min': `{{#label}} must have at least ${limitPhrase('character')}`,
    'string.pattern.name': '{{#label}} must be {{#name}}',
    'string.trim': '{{#label}} must not begin or end with white space',
    'string.uriCustomScheme': '{{#label}} must be an http or https URL',
  }).map(([type, message]) => [type, joi.expression(message)]),
);

/** The type of an error whose message is defined in the schema. */
const OWN = 'custom';

type Describe = (context: joi.Context, prefix: string) => { message: string; field?: string };

const either: Describe = ({ peers }, prefix) => ({
  message: `Send ${peers.map((peer: string) => prefix + peer).join(' or ')}`,
  field: peers[0],
});

/** The messages about several fields, by joi's error type. `prefix` precedes the names of fields. */
const MESSAGES: Record<string, Describe> = {
  'object.min': (_, prefix) => ({
    message: `Send at least one field ${prefix ? `of ${prefix.slice(0, -1)}` : 'to change'}`,
  }),
  'object.missing': either,
  'object.xor': (context, prefix) => {
    const { message, field } = either(context, prefix);
    return { message: `${message}, not both`, field };
  },
  'object.oxor': ({ peers }, prefix) => ({
    message: `Send at most one of ${peers.map((peer: string) => prefix + peer).join(' and ')}`,
    field: peers[0],
  }),
  'object.with': ({ main, peer }, prefix) => ({
    message: `Send ${prefix + peer} with ${prefix + main}`,
    field: main,
  }),
};

/** The error types of a body that is not an object. */
const NOT_AN_OBJECT = new Set(['object.base', 'any.required']);

/** Says which field is unknown, and which one was probably meant. */
function unknownField(path: (string | number)[], schema: joi.Schema | undefined): FieldError {
  const closest = schema && closestField(schema, path);
  const param = path.join('.');
  return { param, message: `Unknown field \`${param}\`${closest ? `; did you mean \`${closest}\`?` : ''}` };
}

/**
 * A joi error with a message for API clients, from this file or from the schema: joi's own messages mention
 * patterns and references. `schema` is the schema of the value, used to suggest a field in place of an
 * unknown one.
 */
export function toFieldError(
  { type, path, message, context = {} }: joi.ValidationErrorItem,
  schema?: joi.Schema,
): FieldError {
  const param = path.join('.') || undefined;
  if (!param && NOT_AN_OBJECT.has(type)) return { message: 'The request body must be a JSON object' };
  if (type === 'object.unknown') return unknownField(path, schema);
  const described = MESSAGES[type]?.(context, param ? `${param}.` : '');
  if (described) return { param: param ?? described.field, message: described.message };
  if (!(type in FIELD_MESSAGES || type === OWN)) {
    const says = 'is invalid';
    return { param, message: `${param ?? 'The value'} ${says}`, rule: { type, says } };
  }
  const name = `${context.label} `;
  const says: string | undefined =
    context.says ?? (message.startsWith(name) ? message.slice(name.length) : undefined);
  // A page's own schema has a complete sentence, which is not reworded.
  return { param, message, ...(says !== undefined && { rule: { type, says } }) };
}
