import type joi from 'joi';
import { ApiError } from '../../domain/errors.js';
import { readForm, readJson, toFields } from './body.js';
import type { ApiContext, Handler } from './context.js';
import { toFieldError, FIELD_MESSAGES } from './field-errors.js';
import { withFacts } from './route-facts.js';
import type { Typed } from './typed.js';

/**
 * All errors are listed only for a body of at most this many values: each error costs joi 60 µs and the
 * response 100 bytes.
 */
const MAX_LISTED = 1_000;
/** Unknown fields among the first errors of a value get a suggestion. */
const MAX_SUGGESTED = 20;

/**
 * Whether a value contains at most `MAX_LISTED` values. Not recursive, because bodies can be nested deeply.
 */
function isListed(value: unknown): boolean {
  const open = [value];
  for (let seen = 0; seen + open.length <= MAX_LISTED; seen++) {
    if (open.length === 0) return true;
    const next = open.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

/**
 * Validates a value. Errors: 422 `validation_failed`, with the first invalid field in `param` and all invalid
 * fields in `errors`, or only the first for a very large value. An error that is not about a single field has
 * no `param`.
 */
export function validate<T>(schema: Typed<T>, value: unknown, convert: boolean): T {
  const result = schema.validate(value, {
    abortEarly: !isListed(value),
    convert,
    messages: FIELD_MESSAGES,
    errors: { wrap: { label: false, array: false } },
  });
  if (!result.error) return result.value as T;
  const errors = result.error.details.map((detail, n) =>
    toFieldError(detail, n < MAX_SUGGESTED ? schema : undefined),
  );
  const [first] = errors;
  throw new ApiError(
    'validation_failed',
    first!.message.endsWith('?') ? first!.message : `${first!.message}.`,
    { param: first!.param, errors },
  );
}

/**
 * Reads and validates the JSON body strictly: types are not converted and unknown fields are refused. The
 * handler gets it in `ctx.state.body`. Without a handler, the body is only validated.
 */
export function validBody<T>(schema: Typed<T>, handler: Handler<T> = passOn): Handler {
  return withFacts({ body: schema }, async (ctx, next) => {
    ctx.state.body = validate(schema, await readJson(ctx), false);
    await handler(ctx as ApiContext<T>, next);
  });
}

/** Reads and validates a form, whose values are text, or the same fields as JSON. */
export function validFormOrBody<T>(schema: Typed<T>, handler: Handler<T> = passOn): Handler {
  return withFacts({ body: schema, form: true }, async (ctx, next) => {
    const fields = await readForm(ctx);
    ctx.state.body = validate(schema, fields, Boolean(ctx.is('urlencoded')));
    await handler(ctx as ApiContext<T>, next);
  });
}

/** The names of the fields of a schema that are objects. */
function objectsIn(schema: joi.Schema): string[] {
  const { keys } = schema.$_terms as { keys?: { key: string; schema: joi.Schema }[] | null };
  return (keys ?? []).flatMap(({ key, schema }) => (schema.type === 'object' ? key : []));
}

/**
 * A query with `metadata[key]=value` as `{ metadata: { key: value } }` for these objects. Errors: 422 for
 * `__proto__`.
 */
function withObjects(query: Record<string, unknown>, objects: string[]): Record<string, unknown> {
  const read = toFields(Object.entries(query));
  for (const key of objects) {
    const parts = Object.keys(query).filter((name) => name.startsWith(`${key}[`) && name.endsWith(']'));
    if (parts.length === 0) continue;
    read[key] = toFields(parts.map((name) => [name.slice(key.length + 1, -1), query[name]]));
    for (const name of parts) delete read[name];
  }
  return read;
}

/** Validates the query, whose values are text. The handler gets it in `ctx.state.query`. */
export function validQuery<T>(schema: Typed<T>, handler: Handler<unknown, T> = passOn): Handler {
  const objects = objectsIn(schema);
  return withFacts({ query: schema }, async (ctx, next) => {
    ctx.state.query = validate(schema, withObjects(ctx.query, objects), true);
    await handler(ctx as ApiContext<unknown, T>, next);
  });
}

const passOn = (_ctx: unknown, next: () => Promise<void>): Promise<void> => next();
