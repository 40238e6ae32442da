import type joi from 'joi';
import { ApiError } from '../../domain/errors.js';
import { readForm, readJson } from './body.js';
import type { Handler } from './context.js';
import { faultOf, FIELD_MESSAGES } from './faults.js';
import { withFacts } from './route-facts.js';

/**
 * Validates a value. Errors: 422 `validation_failed`, which names the first invalid field in `param` and all of them in
 * `errors`. An error about no single field has no `param`.
 */
export function validate<T>(schema: joi.Schema<T>, value: unknown, convert: boolean): T {
  const result = schema.validate(value, {
    abortEarly: false,
    convert,
    messages: FIELD_MESSAGES,
    errors: { wrap: { label: false, array: false } },
  });
  if (!result.error) return result.value as T;
  const errors = result.error.details.map(faultOf);
  const [first] = errors;
  throw new ApiError('validation_failed', `${first!.message}.`, { param: first!.param, errors });
}

/** Reads and validates the JSON body strictly: types are not converted and unknown fields are refused. */
export function validBody(schema: joi.Schema): Handler {
  return withFacts({ body: schema }, async (ctx, next) => {
    ctx.state.body = validate(schema, await readJson(ctx), false);
    await next();
  });
}

/** Reads and validates a form, whose values are text, or the same fields as JSON. */
export function validFormOrBody(schema: joi.Schema): Handler {
  return withFacts({ body: schema, form: true }, async (ctx, next) => {
    const fields = await readForm(ctx);
    ctx.state.body = validate(schema, fields, Boolean(ctx.is('urlencoded')));
    await next();
  });
}

/** Validates the query, whose values are text. */
export function validQuery(schema: joi.Schema): Handler {
  return withFacts({ query: schema }, async (ctx, next) => {
    ctx.state.query = validate(schema, ctx.query, true);
    await next();
  });
}
