import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ERROR_STATUS } from '../../../domain/errors.js';
import { ROLES } from '../../../domain/policies.js';
import { presentMember, type PresentedMember } from '../../../domain/members/presenter.js';
import { TIERS } from '../../../domain/rates/price.js';
import { MEMBER_STATUSES, type MemberStatus } from '../../../domain/states.js';
import { pageFields } from '../../http/cursor.js';
import { email, memberId, searchText, text, timestamp, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  nullable,
  object,
  oneOf,
  optional,
  typed,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { card, payer } from '../shared/payer-fields.js';
import { name } from '../shared/name.js';
import { exampleInstant } from '../shared/examples.js';
import * as s from '../shared/shapes.js';
import { LANGUAGES } from '../../../domain/words/languages.js';

export const MAX_OPERATIONS = 1_000;
const MAX_TRIAL_DAYS = 730;

export const isMemberId = (value: string): boolean => isId('mem', value);

const trialEnd = timestamp.custom((value: Date, helpers) => {
  const ahead = value.getTime() - Date.now();
  if (ahead > 0 && ahead <= MAX_TRIAL_DAYS * DAY_MS) return value;
  return helpers.message({
    custom: `{{#label}} must be in the future, at most ${MAX_TRIAL_DAYS} days from now`,
  });
});

const { sent, read } = sidesOf({
  email: field(email, 'The email address, unique in the workspace.'),
  name: field(name, 'The name of the member.'),
  tier: field(oneOf(TIERS), 'The membership tier.'),
  billed: field(
    boolean,
    'Whether the plan is invoiced, to the member or their company. The tier has its rights, hours and ' +
      'discounts either way. A change of role does not change it.',
  ),
  locale: field(
    nullable(oneOf(LANGUAGES)),
    'The language of the member’s pages, emails and documents as a payer. Null for that of the workspace.',
  ),
  trial_ends_at: field(nullable(trialEnd), 'The time at which the trial ends.', {
    sent: 'The time at which the trial ends, at most 730 days from now.',
  }),
});
const company_id = nullable(uuid).description('The company that the member belongs to, or null for none.');

/** A role that can be given; `owner` is transferred. */
const role = oneOf(['member', 'front_desk', 'billing_contact', 'admin']);

const createFields = {
  email: sent.email,
  name: sent.name,
  tier: withDefault(sent.tier, 'basic'),
  billed: sent.billed.description(
    'Whether the plan is invoiced, to the member or their company. By default true for the role ' +
      '`member`, and false for every other.',
  ),
  locale: withDefault(sent.locale, null),
  role: withDefault(role.description('The role, which decides what the member can do.'), 'member'),
  company_id: withDefault(company_id, null),
  send_invite: withDefault(
    boolean.description('Whether to email an invite. Without one, the member is active immediately.'),
    true,
  ),
  trial_ends_at: withDefault(sent.trial_ends_at, null),
};

/** Body of `POST /v1/members`. */
export const createSchema = object(createFields, 'email').required();
export type CreateBody = Infer<typeof createSchema>;

const updateFields = {
  name: sent.name,
  email: sent.email,
  locale: sent.locale,
  company_id,
  billed: sent.billed,
  tier: sent.tier,
  tier_change_reason: text(256)
    .allow('')
    .description('The reason for the change of tier, recorded in the audit log.'),
  role: role.description('The new role.'),
  status: oneOf(['active', 'paused', 'cancelled']).description('The new status.'),
  ...payer.sent,
};

/** Body of `PATCH /v1/members/{id}`. A reason without a tier changes nothing and is refused. */
export const updateSchema = object(updateFields).with('tier_change_reason', 'tier').min(1).required();
export type UpdateBody = Infer<typeof updateSchema>;

const expand = oneOf(['profile']);

/** Query of `GET /v1/members`. */
export const listSchema = object({
  tier: oneOf(TIERS).description('Returns only members with this tier.'),
  status: oneOf(MEMBER_STATUSES).description('Returns only members with this status.'),
  company_id: uuid.description('Returns only members of this company.'),
  q: searchText.description(
    'At most ten words to search for in names and email addresses, in any case and with or without accents.',
  ),
  include_archived: withDefault(boolean.description('Whether to include archived members.'), false),
  expand: expand.description('Set to `profile` to include the profile of each member.'),
  ...pageFields,
});
export type ListQuery = Infer<typeof listSchema>;

/** Query of `GET /v1/members/{id}`. */
export const getSchema = object({
  expand: expand.description('Set to `profile` to include the profile of the member.'),
});
export type GetQuery = Infer<typeof getSchema>;

/** Body of `POST /v1/members.bulk`. Each operation is validated separately. */
export const bulkSchema = object(
  {
    operations: array(typed<unknown>(joi.any()))
      .max(MAX_OPERATIONS)
      .description('The operations, executed in order.'),
  },
  'operations',
).required();
export type BulkBody = Infer<typeof bulkSchema>;

/** One operation of a bulk request, by its `op`. */
export const OPERATION_SCHEMAS = {
  create: object({ op: oneOf(['create']), ...createFields }, 'op', 'email'),
  update: object({ op: oneOf(['update']), id: memberId, ...updateFields }, 'op', 'id')
    .with('tier_change_reason', 'tier')
    .min(3),
  archive: object({ op: oneOf(['archive']), id: memberId }, 'op', 'id'),
};
export type Operation = Infer<(typeof OPERATION_SCHEMAS)[keyof typeof OPERATION_SCHEMAS]>;

/** A member in responses. */
export const member = s.presentedBy(
  presentMember,
  s.shape({
    id: s.idOf('mem'),
    ...read,
    // A deleted member is never returned.
    status: typed<MemberStatus>(oneOf(MEMBER_STATUSES)).description('The status of the membership.'),
    role: oneOf(ROLES).description('The role, which decides what the member can do.'),
    company: s
      .orNull(
        s.shape({
          id: s.anyUuid.description('The id of the company.'),
          name: s.anyText.description('The name of the company.'),
        }),
      )
      .description('The company that the member belongs to.'),
    joined_at: s.nullableInstant.description('Null until the invite is accepted.'),
    tokens: s
      .shape({
        balance: s.count.description('The hour credits that are left.'),
        monthly_grant: s.count.description(
          'The hour credits that the tier grants each month. If the plan is edited, they are granted ' +
            'from the next month of the member on.',
        ),
      })
      .description('Hour credits.'),
    pending_tier: s
      .orNull(oneOf(TIERS))
      .description('The tier after a downgrade that has not taken effect yet.'),
    pending_tier_at: s.nullableInstant.description('The time at which `pending_tier` takes effect.'),
    ...payer.read,
    card,
    archived_at: s.nullableInstant.description('The time at which the member was archived.'),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

export const EXAMPLE_MEMBER_ID = 'mem_01kba6xz3fe4r9tq5v8mhc2s1e';

/** An example of a member who was invited, in the document. */
export const invited: PresentedMember = {
  id: EXAMPLE_MEMBER_ID,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  tier: 'plus',
  status: 'invited',
  role: 'member',
  billed: true,
  locale: null,
  company: null,
  joined_at: null,
  tokens: { balance: 0, monthly_grant: 10 },
  trial_ends_at: null,
  pending_tier: null,
  pending_tier_at: null,
  payment_terms: null,
  credit_limit_minor: null,
  monthly_statement: false,
  autopay: false,
  card: null,
  archived_at: null,
  created_at: exampleInstant(0, 12),
  updated_at: exampleInstant(0, 12),
};

/** A member in events. Those of an erased member contain no personal data. */
export const memberInEvents = s.extend(member, {
  name: s.nullableText.description('The name of the member. Null after an erasure.'),
  email: s.nullableText.description('The email address. Null after an erasure.'),
});

/** What `member.deleted` contains. */
export const erasedMember = s.shape({
  id: s.idOf('mem'),
  deleted: typed<true>(joi.valid(true)).description('Always true.'),
});

const profile = s
  .shape({
    id: s.idOf('prof'),
    email: s.anyText.description('The email address.'),
    name: s.anyText.description('The name.'),
    created_at: s.instant,
  })
  .description(
    'The person. `id` is the same in all their workspaces; the other fields are those of the member.',
  );
/** A member, with the person's profile if the request has `expand=profile`. */
export const expandable = s.extend(member, { profile: optional(profile) });

/** The result of one operation of a bulk request. */
const bulkResult = s.shape({
  index: s.count.description('The index of the operation, from 0.'),
  op: typed<unknown>(joi.any()).description('The `op` of the operation.'),
  status: oneOf(['ok', 'error']).description('Whether the operation was executed.'),
  id: s.nullableText.description('The id of the member. Null if the operation failed before there was one.'),
  error: optional(
    s
      .shape({
        code: oneOf(Object.keys(ERROR_STATUS)).description('The error code.'),
        message: s.anyText.description('What happened, for people.'),
        param: optional(s.anyText.description('The invalid field of the operation.')),
        details: optional(s.anyObject.description('Details of the error.')),
      })
      .description('Why the operation failed.'),
  ),
});

/** The results of a bulk request in the order of its operations. */
export const bulkResults = s.shape({
  results: array(bulkResult).description('The results in the order of the operations.'),
  summary: s
    .shape({
      ok: s.count.description('The number of operations that were executed.'),
      error: s.count.description('The number of operations that failed.'),
    })
    .description('The number of results of each status.'),
});
