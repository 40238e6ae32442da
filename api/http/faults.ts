import type joi from 'joi';

/** What is wrong with a value, and the field at fault, where it is one. */
export interface Fault {
  param?: string;
  message: string;
}

type Told = (context: joi.Context, at: string) => { message: string; field?: string };

const either: Told = ({ peers }, at) => ({
  message: `Send ${peers.map((peer: string) => at + peer).join(' or ')}`,
  field: peers[0],
});

/** What joi says in terms of a `value`, its keys and its peers, by the type of its error. `at` stands before a field. */
const IN_WORDS: Record<string, Told> = {
  'object.min': (_, at) => ({
    message: `Send at least one field ${at ? `of ${at.slice(0, -1)}` : 'to change'}`,
  }),
  'object.missing': either,
  'object.xor': (context, at) => {
    const { message, field } = either(context, at);
    return { message: `${message}, not both`, field };
  },
  'object.with': ({ main, peer }, at) => ({ message: `Send ${at + peer} with ${at + main}`, field: main }),
};

/** Of a body as a whole. */
const NO_OBJECT = new Set(['object.base', 'any.required']);

/** An error of joi's in words for whoever sent the request. */
export function faultOf({ type, path, message, context = {} }: joi.ValidationErrorItem): Fault {
  const param = path.join('.') || undefined;
  if (!param && NO_OBJECT.has(type)) return { message: 'Send an object with the fields of this request' };
  const told = IN_WORDS[type]?.(context, param ? `${param}.` : '');
  return told ? { param: param ?? told.field, message: told.message } : { param, message };
}
