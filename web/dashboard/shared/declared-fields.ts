import joi from 'joi';

/** Text fields of a form. The operation that the form calls validates them, so their limits are only declared there. */
export const textFields = <Name extends string>(...names: Name[]): Record<Name, joi.Schema> =>
  Object.fromEntries(names.map((name) => [name, joi.string().trim().allow('')])) as Record<Name, joi.Schema>;

/** The attributes of the text input for a field of an operation's body: its name, its limits, and whether it is required. */
export function inputOf(body: joi.ObjectSchema, name: string) {
  const field = body.extract(name);
  const max: number | undefined = field.$_getRule('max')?.args?.limit;
  return {
    name,
    required: field.$_getFlag('presence') === 'required',
    maxLength: field.type === 'number' && max !== undefined ? String(max).length : max,
    inputMode: field.type === 'number' ? ('numeric' as const) : undefined,
  };
}
