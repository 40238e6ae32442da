import Router from '@koa/router';
import { asId, newId } from '../../db/ids.js';
import { resendInvite } from '../../db/repositories/members/accept-invite.js';
import { archiveMember } from '../../db/repositories/members/archive-member.js';
import { createMember } from '../../db/repositories/members/create-member.js';
import { eraseMember } from '../../db/repositories/members/erasure.js';
import { findMember, listMembers, type MemberRow } from '../../db/repositories/members/member-queries.js';
import { updateMember } from '../../db/repositories/members/update-member.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { MemberChanges } from '../../domain/member-edit.js';
import { assertCan } from '../../domain/policies.js';
import { presentMember, presentMemberWithProfile } from '../../domain/presenters/member.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { createOnce } from '../http/idempotency.js';
import { validBody, validQuery } from '../http/validate.js';
import { bulk, costOfBulk, mayBulk } from './bulk.js';
import * as schema from './schema.js';

const presenterFor = (expand: 'profile' | undefined) => (expand ? presentMemberWithProfile : presentMember);

/** Members (spec.md, "Members"; decisions.md, same). */
export function memberRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  /** The id in the path. A role that reads no others is refused them before they are looked for. */
  function idOf(ctx: ApiContext): string {
    const { principal } = ctx.state;
    const id = asId('mem', ctx.params.id!);
    if (id !== principal.member_id) assertCan(principal.role, 'read_others');
    if (!id) throw new ApiError('member_not_found', 'There is no such member.');
    return id;
  }

  async function memberOf(ctx: ApiContext, id = idOf(ctx)): Promise<MemberRow> {
    const member = await findMember(db.manager, ctx.state.principal.workspace_id, id);
    if (!member) throw new ApiError('member_not_found', 'There is no such member.');
    return member;
  }

  const list: Handler = async (ctx) => {
    const { cursor, limit, expand, ...filter } = ctx.state.query as schema.ListQuery;
    const after = cursor ? decodeCursor(cursor, schema.isMemberId) : undefined;
    const rows = await listMembers(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { joined_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (member) => member.joined_at ?? member.created_at, presenterFor(expand));
  };

  const get: Handler = async (ctx) => {
    const { expand } = ctx.state.query as Pick<schema.ListQuery, 'expand'>;
    ctx.body = presenterFor(expand)(await memberOf(ctx));
  };

  const create: Handler = async (ctx) => {
    const body = ctx.state.body as schema.CreateBody;
    const { principal } = ctx.state;
    const id = newId('mem');
    await createOnce(ctx, db, id, {
      make: (tx) => createMember(tx, principal, { ...body, id }),
      find: async (tx, id) => {
        const member = await findMember(tx, principal.workspace_id, id);
        return member && presentMember(member);
      },
    });
  };

  const update: Handler = async (ctx) => {
    const id = idOf(ctx);
    const changes = ctx.state.body as MemberChanges;
    await transaction(db, (tx) => updateMember(tx, ctx.state.principal, id, changes));
    ctx.body = presentMember(await memberOf(ctx, id));
  };

  /** A change of a member that needs nothing but its id; answers the member. */
  const change =
    (work: typeof archiveMember): Handler =>
    async (ctx) => {
      const id = idOf(ctx);
      await transaction(db, (tx) => work(tx, ctx.state.principal, id));
      ctx.status = 200;
      ctx.body = presentMember(await memberOf(ctx, id));
    };

  /** Hard delete, for good (decisions.md, "Mail and erasure"). */
  const erase: Handler = async (ctx) => {
    const id = idOf(ctx);
    await transaction(db, (tx) => eraseMember(tx, ctx.state.principal, id));
    ctx.status = 204;
  };

  const mayRead = may('members:read', 'read_others');
  const mayReadOne = may('members:read', 'read_own_profile');
  const mayInvite = may('members:invite', 'invite_members');
  const mayWrite = may('members:write', 'update_own_profile');
  const mayErase = may('members:delete', 'hard_delete');
  const mayArchive = may('members:delete', 'archive_members');
  const { createSchema, updateSchema, listSchema, getSchema, bulkSchema, emptySchema } = schema;
  const nothing = validBody(emptySchema);
  router.get('/v1/members', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.post('/v1/members', ...route(signedIn, mayInvite, validBody(createSchema), create));
  router.post(
    '/v1/members.bulk',
    ...route(authenticated(deps, costOfBulk), mayBulk, validBody(bulkSchema), bulk(deps)),
  );
  router.get('/v1/members/:id', ...route(signedIn, mayReadOne, validQuery(getSchema), get));
  router.patch('/v1/members/:id', ...route(signedIn, mayWrite, validBody(updateSchema), update));
  router.delete('/v1/members/:id', ...route(signedIn, mayErase, erase));
  router.post('/v1/members/:id/archive', ...route(signedIn, mayArchive, nothing, change(archiveMember)));
  router.post('/v1/members/:id/resend-invite', ...route(signedIn, mayInvite, nothing, change(resendInvite)));
  return router;
}
