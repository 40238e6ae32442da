import { asId } from '../../../db/ids.js';
import { findMember, listMembers, type MemberRow } from '../../../db/queries/members/member.js';
import { ApiError } from '../../../domain/errors.js';
import { assertCan, can, type Principal } from '../../../domain/policies.js';
import { NO_PAYER_FACTS } from '../../../domain/invoices/payer-presenter.js';
import { presentMember, presentMemberWithProfile } from '../../../domain/members/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page } from '../../http/cursor.js';
import { isMemberId, type GetQuery, type ListQuery } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

const memberNotFound = (): ApiError => new ApiError('member_not_found', 'No such member.');

/**
 * The member id in the path. Roles that cannot read other members are refused before the member is looked up.
 * Errors: 403 `role_insufficient`, 404 `member_not_found`.
 */
export function memberIdOf(ctx: ApiContext): string {
  const { principal } = ctx.state;
  const id = asId('mem', ctx.params.id!);
  if (id !== principal.member_id) assertCan(principal.role, 'read_others');
  if (!id) throw memberNotFound();
  return id;
}

/** A member of the caller's workspace, by default the one in the path. Errors: as `memberIdOf`. */
export async function memberOf(ctx: ApiContext, { db }: Deps, id = memberIdOf(ctx)): Promise<MemberRow> {
  const member = await findMember(db.manager, ctx.state.principal.workspace_id, id);
  if (!member) throw memberNotFound();
  return member;
}

/** Terms of payment and cards of others are for roles that read payers. */
function presenterFor({ expand }: GetQuery, { role, member_id }: Principal) {
  const present = expand ? presentMemberWithProfile : presentMember;
  return (member: MemberRow) =>
    present(member.id === member_id || can(role, 'read_payers') ? member : { ...member, ...NO_PAYER_FACTS });
}

/** `GET /v1/members/{id}` */
export function get(deps: Deps): Handler<unknown, GetQuery> {
  return async (ctx) => {
    ctx.body = presenterFor(ctx.state.query, ctx.state.principal)(await memberOf(ctx, deps));
  };
}

/** `GET /v1/members`, newest first. */
export function list({ db }: Deps): Handler<unknown, ListQuery> {
  return async (ctx) => {
    const { cursor, limit, expand, ...filter } = ctx.state.query;
    const after = decodeCursor(cursor, isMemberId);
    const rows = await listMembers(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { joined_at: after.key, id: after.id },
      limit: limit + 1,
    });
    const present = presenterFor({ expand }, ctx.state.principal);
    ctx.body = page(rows, limit, (member) => member.joined_at ?? member.created_at, present);
  };
}
