import { requireSupported } from '../currencies.js';
import { underNames, type NamesIn } from '../names.js';
import { invalidRequest, parameterMissing } from './errors.js';
import type { FormObject, FormValue } from './form.js';

/** How one parameter is parsed. The shape that contains it checks `required`. */
export interface Param<T> {
  read(value: FormValue, name: string): T;
  required: boolean;
}

/** The parameters of a call. Unknown ones are rejected, as Stripe does. */
export type Shape = Record<string, Param<unknown>>;
export type Parsed<S extends Shape> = { [K in keyof S]: S[K] extends Param<infer T> ? T : never };

/** Makes a parameter required. */
export function required<T>(param: Param<T>): Param<Exclude<T, undefined>> {
  return { ...param, required: true } as Param<Exclude<T, undefined>>;
}

/** Parses the parameters of a call. */
export function readParams<S extends Shape>(shape: S, form: FormObject): Parsed<S> {
  return readShape(shape, form, '');
}

/** Text of at most `max` characters. */
export function text(max = 5000): Param<string | undefined> {
  return optional((value, name) => {
    if (typeof value !== 'string') throw invalidRequest('Invalid string', name);
    if (value === '') throw emptyValue(name);
    if (value.length > max) {
      throw invalidRequest(`Invalid string: must be at most ${max} characters`, name);
    }
    return value;
  });
}

/** A whole number. */
export function integer(min = 0, max = 99_999_999_999): Param<number | undefined> {
  return optional((value, name) => {
    if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) {
      throw invalidRequest(`Invalid integer: ${String(value)}`, {
        code: 'parameter_invalid_integer',
        param: name,
      });
    }
    const number = Number(value);
    if (number < min || number > max) {
      const limit = number < min ? `greater than or equal to ${min}` : `less than or equal to ${max}`;
      throw invalidRequest(`This value must be ${limit}.`, {
        code: 'parameter_invalid_integer',
        param: name,
      });
    }
    return number;
  });
}

/** `true` or `false`. */
export function flag(): Param<boolean | undefined> {
  return optional((value, name) => {
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw invalidRequest(`Invalid boolean: ${String(value)}`, name);
  });
}

/** One of a set of words. */
export function oneOf<const T extends string>(...words: T[]): Param<T | undefined> {
  return optional((value, name) => {
    if (words.includes(value as T)) return value as T;
    throw invalidRequest(`Invalid ${name}: must be one of ${words.join(', ')}`, name);
  });
}

/** A URL. */
export function url(): Param<string | undefined> {
  return optional((value, name) => {
    // Placeholders such as {CHECKOUT_SESSION_ID} stay in the URL until the payer is redirected.
    if (
      typeof value === 'string' &&
      value.length <= 5000 &&
      /^https?:\/\/[^\s]+$/.test(value) &&
      URL.canParse(value)
    ) {
      return value;
    }
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: name });
  });
}

/** A three-letter currency code, in lower case. */
export function currency(): Param<string | undefined> {
  return optional((value, name) => {
    const code = String(value).toLowerCase();
    requireSupported(code, name);
    return code;
  });
}

/** A list of values of one kind. */
export function list<T>(item: Param<T>, max = 100): Param<Exclude<T, undefined>[] | undefined> {
  return optional((value, name) => {
    if (typeof value === 'string') throw invalidRequest('Invalid array', name);
    const items = Object.entries(value).map(([index, each]) => item.read(each, `${name}[${index}]`));
    if (items.length > max) throw invalidRequest(`Array must have at most ${max} elements`, name);
    return items as Exclude<T, undefined>[];
  });
}

/** An object with parameters of its own. */
export function object<S extends Shape>(shape: S): Param<Parsed<S> | undefined> {
  return optional((value, name) => {
    if (typeof value === 'string') throw invalidRequest('Invalid object', name);
    return readShape(shape, value, name);
  });
}

/** A parameter that an empty value unsets. */
export function emptyable<T>(param: Param<T>): Param<T | null> {
  return { ...param, read: (value, name) => (value === '' ? null : param.read(value, name)) };
}

/** Up to 50 keys of 40 characters with values of 500. An empty value removes a key. */
export function metadata(): Param<Record<string, string> | undefined> {
  return optional((value, name) => {
    if (value === '') return {};
    if (typeof value === 'string') throw invalidRequest('Invalid object', name);
    const pairs = Object.entries(value);
    if (pairs.length > 50) throw invalidRequest('Metadata can have up to 50 keys', name);
    for (const [key, each] of pairs) {
      if (key.length > 40) {
        throw invalidRequest(`Metadata keys can have up to 40 characters; '${key}' has ${key.length}`, name);
      }
      if (typeof each !== 'string' || each.length > 500) {
        throw invalidRequest(
          `Metadata values can have up to 500 characters, but you passed in more at '${key}'`,
          name,
        );
      }
    }
    return Object.fromEntries(pairs) as Record<string, string>;
  });
}

/** Parameters that Stripe has and the simulator ignores: they affect nothing that is simulated. */
export function ignored<S extends string>(names: S): Record<NamesIn<S>, Param<FormValue | undefined>> {
  return underNames(
    names,
    optional((value) => value),
  );
}

/**
 * Parameters that Stripe has and the simulator doesn't. They are rejected, so that no caller relies on their
 * effect.
 */
export function unsimulated<S extends string>(names: S): Record<NamesIn<S>, Param<undefined>> {
  const refuse = (_: FormValue, name: string) => {
    throw invalidRequest(`The processor simulator does not simulate '${name}'.`, name);
  };
  return underNames(names, optional<undefined>(refuse));
}

function optional<T>(read: (value: FormValue, name: string) => T): Param<T | undefined> {
  return { read, required: false };
}

function readShape<S extends Shape>(shape: S, form: FormObject, prefix: string): Parsed<S> {
  const paramName = (key: string) => (prefix ? `${prefix}[${key}]` : key);
  const unknown = Object.keys(form).filter((key) => !Object.hasOwn(shape, key));
  if (unknown.length > 0) {
    throw invalidRequest(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.map(paramName).join(', ')}`,
      { code: 'parameter_unknown', param: paramName(unknown[0] ?? '') },
    );
  }
  const read: Record<string, unknown> = {};
  for (const [key, param] of Object.entries(shape)) {
    const value = form[key];
    if (value !== undefined) read[key] = param.read(value, paramName(key));
    else if (param.required) {
      throw parameterMissing(paramName(key));
    }
  }
  return read as Parsed<S>;
}

function emptyValue(name: string): Error {
  return invalidRequest(
    `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a ` +
      `parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or ` +
      'supply a non-empty value.',
    { code: 'parameter_invalid_empty', param: name },
  );
}
