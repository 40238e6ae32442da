import joi from 'joi';
import { isId } from '../../../db/ids.js';
import type { MemberChanges } from '../../../domain/member-edit.js';
import { TIERS, type Tier } from '../../../domain/price.js';
import { MEMBER_STATUSES, type MemberStatus } from '../../../domain/states.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { payer } from '../shared/payer-fields.js';
import { email, memberId, searchText, text, timestamp, uuid } from '../../http/fields.js';

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
  email: email.required().description('The email address, unique in the workspace.'),
  name: memberName.description('The name of the member.'),
  tier: tier.default('basic').description('The membership tier.'),
  company_id: uuid.allow(null).default(null).description('The company that the member belongs to.'),
  send_invite: joi
    .boolean()
    .default(true)
    .description('Whether to email an invite. Without one, the member is active immediately.'),
  trial_ends_at: trialEnd
    .allow(null)
    .default(null)
    .description('The time at which the trial ends, at most 730 days from now.'),
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
  name: memberName.description('The new name.'),
  email: email.description('The new email address.'),
  company_id: uuid.allow(null).description('The new company, or null for none.'),
  tier: tier.description('The new tier.'),
  tier_change_reason: text(256)
    .allow('')
    .description('The reason for the change of tier, recorded in the audit log.'),
  role: joi.string().valid('member', 'admin', 'billing_contact').description('The new role.'),
  status: joi.string().valid('active', 'paused', 'cancelled').description('The new status.'),
  ...payer.sent,
};

/** Body of `PATCH /v1/members/{id}`. A reason without a tier changes nothing and is refused. */
export const updateSchema = joi.object(updateFields).with('tier_change_reason', 'tier').min(1).required();

const expand = joi.string().valid('profile');
type Expand = 'profile' | undefined;

/** Query of `GET /v1/members`. */
export const listSchema = joi.object({
  tier: tier.description('Returns only members with this tier.'),
  status: joi
    .string()
    .valid(...MEMBER_STATUSES)
    .description('Returns only members with this status.'),
  company_id: uuid.description('Returns only members of this company.'),
  q: searchText.description('Words to search for in names and email addresses.'),
  include_archived: joi.boolean().default(false).description('Whether to include archived members.'),
  expand: expand.description('Set to `profile` to include the profile of each member.'),
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
export const getSchema = joi.object({
  expand: expand.description('Set to `profile` to include the profile of the member.'),
});
export interface GetQuery {
  expand?: Expand;
}

/** Body of `POST /v1/members.bulk`. Each operation is validated separately. */
export const bulkSchema = joi
  .object({
    operations: joi
      .array()
      .items(joi.any())
      .max(MAX_OPERATIONS)
      .required()
      .description('The operations, executed in order.'),
  })
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
