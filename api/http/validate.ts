import joi from 'joi';
import { asId } from '../../db/ids.js';
import { ApiError } from '../../domain/errors.js';
import type { Handler } from './context.js';
import { readForm, readJson } from './body.js';
import { faultOf } from './faults.js';
import { stating } from './route-facts.js';

/** Text that Postgres can store: well-formed Unicode without NUL. */
export const text = (max: number): joi.StringSchema =>
  joi
    .string()
    .max(max)
    .meta({ json: { pattern: '^[^\\u0000]*$' } })
    .custom((value: string, helpers) => {
      const storable = !value.includes('\0') && !/\p{Surrogate}/u.test(value);
      return storable ? value : helpers.message({ custom: '{{#label}} holds characters that are not text' });
    });

const ISO_WITH_OFFSET = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** An ISO 8601 time with an offset or Z, as a `Date`; a date that isn't in the calendar is refused. */
export const timestamp = joi
  .string()
  .meta({ json: { format: 'date-time' } })
  .custom((value: string, helpers) => {
    const match = ISO_WITH_OFFSET.exec(value);
    const date = new Date(value);
    const [, year, month, day] = match ?? [];
    const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    if (!match || Number.isNaN(date.getTime()) || Number(day) > daysInMonth || Number(year) < 1970) {
      return helpers.message({
        custom: '{{#label}} must be an ISO 8601 time with an offset, such as 2027-01-31T09:00:00Z',
      });
    }
    return date;
  });

/** A member as `mem_…` or as the UUID of the same 128 bits; comes out as `mem_…`. */
export const memberId = joi
  .string()
  .meta({ json: { description: 'A member: `mem_…`, or the UUID of the same 128 bits.' } })
  .custom((value: string, helpers) => {
    const id = asId('mem', value);
    return id ?? helpers.message({ custom: '{{#label}} must be a member id (mem_…)' });
  });

const UUID = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
/** A UUID in any case, in lower case out. Only the one spelling with hyphens: joi's own rule knows more than Postgres. */
export const uuid = joi
  .string()
  .pattern(UUID, 'UUID')
  .meta({ json: { format: 'uuid' } })
  .custom((value: string) => value.toLowerCase());
export const isUuid = (value: string): boolean => UUID.test(value);

/** A `q`: words to find people by. */
export const searchText = text(100).trim();

export const pageLimit = joi.number().integer().min(1).max(200).default(50);

/**
 * Checks a value; 422 `validation_failed` names the first field at fault, and all of them in `errors`. What is wrong with
 * no field of its own has no `param`.
 */
export function validate<T>(schema: joi.Schema<T>, value: unknown, convert: boolean): T {
  const result = schema.validate(value, { abortEarly: false, convert, errors: { wrap: { label: false } } });
  if (!result.error) return result.value as T;
  const errors = result.error.details.map(faultOf);
  const [first] = errors;
  throw new ApiError('validation_failed', `${first!.message}.`, { param: first!.param, errors });
}

/** Reads and checks the JSON body, strictly: no type is converted, an unknown field is refused. */
export function validBody(schema: joi.Schema): Handler {
  return stating({ body: schema }, async (ctx, next) => {
    ctx.state.body = validate(schema, await readJson(ctx), false);
    await next();
  });
}

/** Reads and checks a form, whose values are text by nature, or the same fields as JSON. */
export function validFormOrBody(schema: joi.Schema): Handler {
  return stating({ body: schema, form: true }, async (ctx, next) => {
    const fields = await readForm(ctx);
    ctx.state.body = validate(schema, fields, Boolean(ctx.is('urlencoded')));
    await next();
  });
}

/** Checks the query, whose values are text by nature. */
export function validQuery(schema: joi.Schema): Handler {
  return stating({ query: schema }, async (ctx, next) => {
    ctx.state.query = validate(schema, ctx.query, true);
    await next();
  });
}
