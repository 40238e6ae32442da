import { invalidRequest } from './errors.js';

/** A decoded form. Stripe's clients encode `{a: {b: ['x']}}` as `a[b][0]=x`. */
export type FormValue = string | FormObject;
export interface FormObject {
  [key: string]: FormValue;
}

/** Decodes a body or a query string. */
export function decodeForm(text: string): FormObject {
  const form = emptyObject();
  for (const [name, value] of new URLSearchParams(text)) put(form, parseFieldPath(name), value, name);
  return form;
}

function parseFieldPath(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0) return [name];
  if (!/^(\[[^[\]]*\])+$/.test(name.slice(open))) throw invalidRequest(`Invalid parameter name: ${name}`);
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
}

function put(into: FormObject, path: string[], value: string, name: string): void {
  let target = into;
  for (const [depth, part] of path.entries()) {
    // `a[]=x` appends to the list.
    const key = part === '' ? String(Object.keys(target).length) : part;
    if (depth === path.length - 1) {
      target[key] = value;
      return;
    }
    const next = (target[key] ??= emptyObject());
    if (typeof next === 'string') throw invalidRequest(`Invalid parameter name: ${name}`);
    target = next;
  }
}

/** Without a prototype, so that names such as `__proto__` are plain keys. */
function emptyObject(): FormObject {
  return Object.create(null) as FormObject;
}
