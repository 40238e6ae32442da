import type joi from 'joi';

/** What is wrong with a value, and the field it is about, if any. */
export interface Fault {
  param?: string;
  message: string;
}

type Describe = (context: joi.Context, prefix: string) => { message: string; field?: string };

const either: Describe = ({ peers }, prefix) => ({
  message: `Send ${peers.map((peer: string) => prefix + peer).join(' or ')}`,
  field: peers[0],
});

/** Replaces joi's messages about a `value`, its keys and its peers, by joi's error type. `prefix` precedes field names. */
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

/** Errors about a body that is no object at all. */
const NO_OBJECT = new Set(['object.base', 'any.required']);

/** A joi error as API clients read it. */
export function faultOf({ type, path, message, context = {} }: joi.ValidationErrorItem): Fault {
  const param = path.join('.') || undefined;
  if (!param && NO_OBJECT.has(type)) return { message: 'Send an object with the fields of this request' };
  const described = MESSAGES[type]?.(context, param ? `${param}.` : '');
  return described ? { param: param ?? described.field, message: described.message } : { param, message };
}
