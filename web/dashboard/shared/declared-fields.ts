import joi from 'joi';

/** Text fields of a form. The operation that the form calls validates them, so their limits are only declared there. */
export const textFields = <Name extends string>(...names: Name[]): Record<Name, joi.Schema> =>
  Object.fromEntries(names.map((name) => [name, joi.string().trim().allow('')])) as Record<Name, joi.Schema>;

/** The attributes of the input for a field of an operation's body: its name, its limits, and whether it is required. */
export function inputOf(body: joi.ObjectSchema, name: string) {
  const field = body.extract(name);
  const limit = (rule: 'min' | 'max'): number | undefined => field.$_getRule(rule)?.args?.limit;
  const limits =
    field.type === 'string' ? { maxLength: limit('max') } : { min: limit('min'), max: limit('max') };
  return { name, required: field.$_getFlag('presence') === 'required', ...limits };
}
