import joi from 'joi';

/** What is wrong with a value, and the field it is about, if any. */
export interface Fault {
  param?: string;
  message: string;
}

/** The limit of a rule with its noun: `1 item`, `20 items`. */
const limitOf = (noun: string): string => `{{#limit}} {{if(#limit == 1, '${noun}', '${noun}s')}}`;

/** Replaces joi's messages about a field, by joi's error type. Compiled once. */
export const FIELD_MESSAGES = Object.fromEntries(
  Object.entries({
    'any.unknown': '{{#label}} is not a known field',
    'array.includesRequiredUnknowns': '{{#label}} is missing a required item',
    'array.length': `{{#label}} must have ${limitOf('item')}`,
    'array.max': `{{#label}} must have at most ${limitOf('item')}`,
    'array.min': `{{#label}} must have at least ${limitOf('item')}`,
    'array.orderedLength': `{{#label}} must have at most ${limitOf('item')}`,
    'array.unique': '{{#label}} must not repeat an earlier item',
    'number.max': '{{#label}} must be at most {{#limit}}',
    'number.min': '{{#label}} must be at least {{#limit}}',
    'number.precision': `{{#label}} must have at most ${limitOf('decimal place')}`,
    'number.unsafe': '{{#label}} is out of range',
    'object.base': '{{#label}} must be an object',
    'object.unknown': '{{#label}} is not a known field',
    'string.email': '{{#label}} must be an email address',
    'string.empty': '{{#label}} must not be empty',
    'string.max': `{{#label}} must have at most ${limitOf('character')}`,
    'string.min': `{{#label}} must have at least ${limitOf('character')}`,
    'string.pattern.name': '{{#label}} must be {{#name}}',
    'string.uriCustomScheme': '{{#label}} must be an http or https URL',
  }).map(([type, message]) => [type, joi.expression(message)]),
);

type Describe = (context: joi.Context, prefix: string) => { message: string; field?: string };

const either: Describe = ({ peers }, prefix) => ({
  message: `Send ${peers.map((peer: string) => prefix + peer).join(' or ')}`,
  field: peers[0],
});

/** Replaces joi's messages about several fields, by joi's error type. `prefix` precedes the names of fields. */
const MESSAGES: Record<string, Describe> = {
  'object.min': (_, prefix) => ({
    message: `Send at least one field ${prefix ? `of ${prefix.slice(0, -1)}` : 'to change'}`,
  }),
  'object.missing': either,
  'object.xor': (context, prefix) => {
    const { message, field } = either(context, prefix);
    return { message: `${message}, not both`, field };
  },
  'object.with': ({ main, peer }, prefix) => ({
    message: `Send ${prefix + peer} with ${prefix + main}`,
    field: main,
  }),
};

/** The error types of a body that is not an object. */
const NOT_AN_OBJECT = new Set(['object.base', 'any.required']);

/** A joi error as API clients read it. */
export function faultOf({ type, path, message, context = {} }: joi.ValidationErrorItem): Fault {
  const param = path.join('.') || undefined;
  if (!param && NOT_AN_OBJECT.has(type)) return { message: 'The request body must be a JSON object' };
  const described = MESSAGES[type]?.(context, param ? `${param}.` : '');
  return described ? { param: param ?? described.field, message: described.message } : { param, message };
}
