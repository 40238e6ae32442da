import joi from 'joi';
import { ERROR_STATUS } from '../../../domain/errors.js';
import { ROLES } from '../../../domain/policies.js';
import { TIERS } from '../../../domain/price.js';
import { MEMBER_STATUSES } from '../../../domain/states.js';
import { card, payer } from '../shared/payer-fields.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** A member as `presentMember` returns it. */
export const member = s.shape({
  id: s.idOf('mem'),
  name: s.anyText.description('The name of the member.'),
  email: s.anyText.description('The email address, unique in the workspace.'),
  tier: oneOf(TIERS).description('The membership tier.'),
  status: oneOf(MEMBER_STATUSES).description('The status of the membership.'),
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
      monthly_grant: s.count.description('The hour credits that the tier grants each month.'),
    })
    .description('Hour credits.'),
  trial_ends_at: s.nullableInstant.description('The time at which the trial ends.'),
  pending_tier: s
    .orNull(oneOf(TIERS))
    .description('The tier after a downgrade that has not taken effect yet.'),
  pending_tier_at: s.nullableInstant.description('The time at which `pending_tier` takes effect.'),
  ...payer.read,
  card,
  archived_at: s.nullableInstant.description('The time at which the member was archived.'),
  created_at: s.instant,
  updated_at: s.instant,
});

/** A member in events. Those of an erased member contain no personal data. */
export const memberInEvents = member.keys({
  name: s.nullableText.required().description('The name of the member. Null after an erasure.'),
  email: s.nullableText.required().description('The email address. Null after an erasure.'),
});

/** What `member.deleted` contains. */
export const erasedMember = s.shape({
  id: s.idOf('mem'),
  deleted: joi.valid(true).description('Always true.'),
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
export const expandable = member.keys({ profile: profile.optional() });

/** The result of one operation of a bulk request. */
const bulkResult = s.shape({
  index: s.count.description('The index of the operation, from 0.'),
  op: joi.any().description('The `op` of the operation.'),
  status: oneOf(['ok', 'error']).description('Whether the operation was executed.'),
  id: s.nullableText.description('The id of the member. Null if the operation failed before there was one.'),
  error: s
    .shape({
      code: oneOf(Object.keys(ERROR_STATUS)).description('The error code.'),
      message: s.anyText.description('What happened, for people.'),
      param: s.anyText.optional().description('The invalid field of the operation.'),
      details: s.anyObject.optional().description('Details of the error.'),
    })
    .optional()
    .description('Why the operation failed.'),
});

/** The results of a bulk request in the order of its operations. */
export const bulkResults = s.shape({
  results: joi.array().items(bulkResult).description('The results in the order of the operations.'),
  summary: s
    .shape({
      ok: s.count.description('The number of operations that were executed.'),
      error: s.count.description('The number of operations that failed.'),
    })
    .description('The number of results of each status.'),
});
