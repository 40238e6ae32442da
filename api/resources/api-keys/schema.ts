import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { formatRange, parseRange } from '../../../domain/ip-range.js';
import type { KeyScope } from '../../../domain/key-scope.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { DAY } from '../../../domain/time-zone.js';
import { memberId, text, timestamp } from '../../http/fields.js';

export const MAX_DAYS = 365;

export const isKeyId = (id: string): boolean => isId('key', id);

const name = text(200).trim().min(1);

const range = joi.string().custom((value: string, helpers) => {
  const parsed = parseRange(value);
  return parsed
    ? formatRange(parsed)
    : helpers.message({
        custom: '{{#label}} must be an IP range such as 192.0.2.0/24 or 2001:db8::/32',
      });
});

const oneOrMore = (values: readonly string[]): joi.ArraySchema =>
  joi
    .array()
    .items(joi.string().valid(...values))
    .min(1)
    .unique();

const scope = joi.object({
  resources: oneOrMore(SCOPE_RESOURCES).description('The resources that the key can use.'),
  actions: oneOrMore(SCOPE_ACTIONS).description('What the key can do with these resources.'),
  ip_allowlist: joi
    .array()
    .items(range)
    .max(100)
    .description('The IP ranges from which the key can be used, in CIDR notation. Empty for any address.'),
});

const expiry = timestamp.custom((value: Date, helpers) => {
  const days = (value.getTime() - Date.now()) / DAY;
  return days > 0 && days <= MAX_DAYS
    ? value
    : helpers.message({ custom: `{{#label}} must be in the future, at most ${MAX_DAYS} days from now` });
});

/**
 * Body of `POST /v1/api-keys`. Parts missing in the scope default to those of the calling key. The default of
 * `expires_at` is applied when the key is created: here it would make a repeat differ from the original request.
 */
export const createSchema = joi
  .object({
    name: name.required().description('A name for people, such as the place where the key is used.'),
    scope: scope
      .default({})
      .description('What the key permits. Missing parts default to those of the calling key.'),
    expires_at: expiry.description(
      'The time at which the key expires, at most 365 days from now. Defaults to 90 days from now.',
    ),
    member_id: memberId.description(
      'The member whose role limits the key. Defaults to the member of the calling key.',
    ),
  })
  .required();
export interface CreateBody {
  name: string;
  scope: Partial<KeyScope>;
  expires_at?: Date;
  member_id?: string;
}

/** Body of `PATCH /v1/api-keys/{id}`. */
export const narrowSchema = joi
  .object({
    name: name.description('The new name.'),
    scope: scope.min(1).description('The narrower scope. Missing parts do not change.'),
    expires_at: expiry.description('The earlier time at which the key expires.'),
  })
  .min(1)
  .required();
export interface NarrowBody {
  name?: string;
  scope?: Partial<KeyScope>;
  expires_at?: Date;
}

const GRACE = '{{#label}} must be between 1/24 (one hour) and 30';

/** Form or body of both rotations. */
export const rotateSchema = joi.object({
  grace_window_days: joi
    .number()
    .min(1 / 24)
    .max(30)
    .messages({ 'number.min': GRACE, 'number.max': GRACE })
    .default(7)
    .description('How long the previous token stays valid, in days: from 1/24 (one hour) to 30.'),
});
export interface RotateBody {
  grace_window_days: number;
}
