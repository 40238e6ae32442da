import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { invalidRequest } from '../http/errors.js';

/** The JSON object in a request body. An empty body is an empty object. */
export async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  const body = await getRawBody(ctx.req, { encoding: 'utf8', limit: '1mb' });
  if (body.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Falls through to the same error.
  }
  throw invalidRequest('The body must be a JSON object.');
}

/** Rejects unknown fields. */
export function onlyKnown(body: Record<string, unknown>, ...names: string[]): void {
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (!unknown) return;
  throw invalidRequest(`'${unknown}' is not known here. Known: ${names.join(', ') || 'nothing'}.`, {
    param: unknown,
  });
}

/** An optional field of the given type. */
export function field<T extends 'string' | 'number' | 'boolean' | 'object'>(
  body: Record<string, unknown>,
  name: string,
  type: T,
): { string: string; number: number; boolean: boolean; object: object }[T] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === type && (type !== 'number' || Number.isInteger(value))) return value as never;
  throw invalidRequest(`'${name}' must be ${type === 'number' ? 'a whole number' : `of type ${type}`}.`, {
    param: name,
  });
}

/** An optional field with one of these values. */
export function word<const T extends string>(
  body: Record<string, unknown>,
  name: string,
  words: T[],
): T | undefined {
  const value = field(body, name, 'string');
  if (value === undefined || words.includes(value as T)) return value as T | undefined;
  throw invalidRequest(`'${name}' must be one of ${words.join(', ')}.`, { param: name });
}
