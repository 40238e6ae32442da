import { newId } from '../../../db/ids.js';
import { countInvite } from '../../../commands/mail/mail-limits.js';
import { createMember } from '../../../commands/members/create-member.js';
import { findMember } from '../../../db/queries/members/member.js';
import { presentMember } from '../../../domain/members/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { createOnce } from '../../http/idempotency.js';
import type { CreateBody } from './shape.js';

/**
 * `POST /v1/members` (docs/rules/members.md#states). Errors: 404 `company_not_found`; 409 `member_exists`,
 * `limit_reached`, `idempotency_conflict`; 429 `rate_limited` for an invite.
 */
export function create({
  db,
  mailQuotas,
  quotas,
}: Pick<ApiDependencies, 'db' | 'mailQuotas' | 'quotas'>): Handler<CreateBody> {
  return async (ctx) => {
    const { body, principal } = ctx.state;
    const id = newId('mem');
    await createOnce(ctx, db, id, {
      create: async (tx) => {
        await createMember(tx, quotas, principal, { ...body, id });
        await countInvite(tx, principal, mailQuotas, id);
      },
      find: async (tx, id) => {
        const member = await findMember(tx, principal.workspace_id, id);
        return member && presentMember(member);
      },
    });
  };
}
