import joi from 'joi';
import { isId } from '../../db/ids.js';
import type { MemberChanges } from '../../domain/member-edit.js';
import { TIERS, type Tier } from '../../domain/price.js';
import { MEMBER_STATUSES, type MemberStatus } from '../../domain/states.js';
import { pageFields, type PageQuery } from '../http/cursor.js';
import { autopay, paymentTerms } from '../resource/payer-fields.js';
import { email, memberId, searchText, text, timestamp, uuid } from '../http/fields.js';

export const MAX_OPERATIONS = 1_000;
const MAX_TRIAL_DAYS = 730;

export const isMemberId = (value: string): boolean => isId('mem', value);

export const memberName = text(200).trim().min(1);
const tier = joi.string().valid(...TIERS);
const trialEnd = timestamp.custom((value: Date, helpers) => {
  const ahead = value.getTime() - Date.now();
  if (ahead > 0 && ahead <= MAX_TRIAL_DAYS * 86_400_000) return value;
  return helpers.message({
    custom: `{{#label}} must be in the future, at most ${MAX_TRIAL_DAYS} days from now`,
  });
});

const createFields = {
  email: email.required(),
  name: memberName,
  tier: tier.default('basic'),
  company_id: uuid.allow(null).default(null),
  send_invite: joi.boolean().default(true),
  trial_ends_at: trialEnd.allow(null).default(null),
};

/** Body of `POST /v1/members`. */
export const createSchema = joi.object(createFields).required();

export interface CreateBody {
  email: string;
  name?: string;
  tier: Tier;
  company_id: string | null;
  send_invite: boolean;
  trial_ends_at: Date | null;
}

const updateFields = {
  name: memberName,
  email,
  company_id: uuid.allow(null),
  tier,
  tier_change_reason: text(256).allow(''),
  role: joi.string().valid('member', 'admin', 'billing_contact'),
  status: joi.string().valid('active', 'paused', 'cancelled'),
  ...paymentTerms,
  autopay,
};

/** Body of `PATCH /v1/members/{id}`. A reason without a tier changes nothing and is refused. */
export const updateSchema = joi.object(updateFields).with('tier_change_reason', 'tier').min(1).required();

const expand = joi.string().valid('profile');
type Expand = 'profile' | undefined;

/** Query of `GET /v1/members`. */
export const listSchema = joi.object({
  tier,
  status: joi.string().valid(...MEMBER_STATUSES),
  company_id: uuid,
  q: searchText,
  include_archived: joi.boolean().default(false),
  expand,
  ...pageFields,
});

export interface ListQuery extends PageQuery {
  tier?: Tier;
  status?: MemberStatus;
  company_id?: string;
  q?: string;
  include_archived: boolean;
  expand?: Expand;
}

/** Query of `GET /v1/members/{id}`. */
export const getSchema = joi.object({ expand });
export interface GetQuery {
  expand?: Expand;
}

/** Body of `POST /v1/members.bulk`. Each operation is validated separately. */
export const bulkSchema = joi
  .object({ operations: joi.array().items(joi.any()).max(MAX_OPERATIONS).required() })
  .required();

/** One operation of a bulk request, by its `op`. */
export const OPERATION_SCHEMAS = {
  create: joi.object({ op: joi.string(), ...createFields }),
  update: joi
    .object({ op: joi.string(), id: memberId.required(), ...updateFields })
    .with('tier_change_reason', 'tier')
    .min(3),
  archive: joi.object({ op: joi.string(), id: memberId.required() }),
};

export type Operation =
  | ({ op: 'create' } & CreateBody)
  | ({ op: 'update'; id: string } & MemberChanges)
  | { op: 'archive'; id: string };
