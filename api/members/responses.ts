import joi from 'joi';
import { ERROR_STATUS } from '../../domain/errors.js';
import { ROLES } from '../../domain/policies.js';
import { TIERS } from '../../domain/price.js';
import { MEMBER_STATUSES } from '../../domain/states.js';
import { payerShape } from '../resource/payer-fields.js';
import * as s from '../resource/shapes.js';

/** A member as `presentMember` returns it. */
export const member = s.shape({
  id: s.idOf('mem'),
  name: s.anyText,
  email: s.anyText,
  tier: s.oneOf(TIERS),
  status: s.oneOf(MEMBER_STATUSES),
  role: s.oneOf(ROLES),
  company: s.orNull(s.shape({ id: s.anyUuid, name: s.anyText })),
  joined_at: s.nullableInstant.description('Null until the invite is accepted.'),
  tokens: s.shape({ balance: s.count, monthly_grant: s.count }).description('Hour credits.'),
  trial_ends_at: s.nullableInstant,
  pending_tier: s
    .orNull(s.oneOf(TIERS))
    .description('The tier after a downgrade that has not taken effect yet.'),
  pending_tier_at: s.nullableInstant.description('The time at which `pending_tier` takes effect.'),
  ...payerShape,
  archived_at: s.nullableInstant,
  created_at: s.instant,
  updated_at: s.instant,
});

/** A member in events. Those of an erased member contain no personal data. */
export const memberInEvents = member.keys({
  name: s.nullableText.required(),
  email: s.nullableText.required(),
});

/** What `member.deleted` contains. */
export const erasedMember = s.shape({ id: s.idOf('mem'), deleted: joi.valid(true) });

const profile = s
  .shape({ id: s.idOf('prof'), email: s.anyText, name: s.anyText, created_at: s.instant })
  .description(
    'The person. `id` is the same in all their workspaces; the other fields are those of the member.',
  );
/** A member, with the person's profile if the request has `expand=profile`. */
export const expandable = member.keys({ profile: profile.optional() });

/** The result of one operation of a bulk request. */
const bulkResult = s.shape({
  index: s.count,
  op: joi.any(),
  status: s.oneOf(['ok', 'error']),
  id: s.nullableText,
  error: s
    .shape({
      code: s.oneOf(Object.keys(ERROR_STATUS)),
      message: s.anyText,
      param: s.anyText.optional(),
      details: s.anyObject.optional(),
    })
    .optional(),
});

/** The results of a bulk request in the order of its operations. */
export const bulkResults = s.shape({
  results: joi.array().items(bulkResult),
  summary: s.shape({ ok: s.count, error: s.count }),
});
