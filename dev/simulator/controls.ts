import joi, { type ObjectSchema } from 'joi';
import type { Context } from 'koa';
import getRawBody from 'raw-body';

/** A request that a control rejects. */
export class ControlProblem extends Error {
  constructor(
    message: string,
    /** The field that is wrong. */
    readonly param?: string,
  ) {
    super(message);
  }
}

/**
 * The JSON object in a request body, validated; an empty body is an empty object. `given` is the body without defaults.
 * Throws `ControlProblem`.
 */
export async function readControl<T>(
  ctx: Context,
  schema: ObjectSchema<T>,
): Promise<{ body: T; given: object }> {
  const given = parse(await getRawBody(ctx.req, { encoding: 'utf8', limit: '1mb' }));
  const { error, value } = schema.validate(given);
  if (error) throw new ControlProblem(error.message, error.details[0]?.path.join('.'));
  return { body: value as T, given };
}

function parse(text: string): object {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through to the same error.
  }
  throw new ControlProblem('The body must be a JSON object.');
}

/** The faults that every simulator has. */
export const COMMON_FAULTS = {
  latency_ms: joi.number().integer().min(0).default(0),
  fail: joi
    .array()
    .items(
      joi.object({
        method: joi.string().empty(null),
        path: joi.string().pattern(/^\//).required(),
        status: joi.number().integer().allow(0).min(400).max(599).required(),
        times: joi.number().integer().min(1).default(1),
        after_effect: joi.boolean().default(false),
        code: joi.string().empty(null),
      }),
    )
    .default([]),
};
