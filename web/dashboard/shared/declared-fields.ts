import joi from 'joi';
import { allowedBy } from '../../../api/http/typed.js';

const lastOf = (path: string): string => path.split('.').at(-1)!;

/**
 * The text fields of a form for fields of an operation's body, by their paths in it. Only the operation
 * checks their limits. What may be empty is free text, which is kept as it was written.
 */
export const textFields = (body: joi.ObjectSchema, ...paths: string[]): Record<string, joi.Schema> =>
  Object.fromEntries(
    paths.map((path) => {
      const isFree = allowedBy(body.extract(path)).includes('');
      return [lastOf(path), (isFree ? joi.string() : joi.string().trim()).allow('')];
    }),
  );

/**
 * The attributes of the text input for a field of an operation's body: its name, its limits,
 * and whether it is required.
 */
export function inputOf(body: joi.ObjectSchema, path: string) {
  const field = body.extract(path);
  const isNumber = field.type === 'number';
  const isDecimal = isNumber && !field.$_getRule('integer');
  const max: number | undefined = field.$_getRule('max')?.args?.limit;
  const min: number | undefined = field.$_getRule('min')?.args?.limit;
  return {
    name: lastOf(path),
    required: field.$_getFlag('presence') === 'required',
    maxLength: isDecimal ? undefined : isNumber && max !== undefined ? String(max).length : max,
    ...(isNumber && { inputMode: isDecimal ? ('decimal' as const) : ('numeric' as const), min }),
  };
}
