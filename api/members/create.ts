import { newId } from '../../db/ids.js';
import { createMember } from '../../db/repositories/members/create-member.js';
import { findMember } from '../../db/repositories/members/member-queries.js';
import { presentMember } from '../../domain/presenters/member.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import { createOnce } from '../http/idempotency.js';
import type { CreateBody } from './schema.js';

/**
 * `POST /v1/members` (docs/rules/members.md#states). Errors: 404 `company_not_found`; 409 `member_exists`,
 * `idempotency_conflict`.
 */
export function create({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const body = ctx.state.body as CreateBody;
    const { principal } = ctx.state;
    const id = newId('mem');
    await createOnce(ctx, db, id, {
      create: (tx) => createMember(tx, principal, { ...body, id }),
      find: async (tx, id) => {
        const member = await findMember(tx, principal.workspace_id, id);
        return member && presentMember(member);
      },
    });
  };
}
