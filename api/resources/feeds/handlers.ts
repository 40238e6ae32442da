import { bindKey, originalDeleted } from '../../../commands/api-keys/idempotency.js';
import { deleteFeed, replaceFeed } from '../../../commands/feeds/feeds.js';
import { listFeeds } from '../../../db/queries/feeds/feed.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { asId, newId, isUuid } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { authorize, type Principal } from '../../../domain/policies.js';
import { presentFeed } from '../../../domain/feeds/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { bearerToken } from '../../http/tokens.js';
import { isFeedId, type CreateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'feedLinks'>;

const ownOf = ({ workspace_id, member_id }: Principal) => ({ workspace_id, member_id });

/** `GET /v1/feeds`: the caller's, newest first. */
export const list = listOf({
  find: listFeeds,
  of: async (ctx) => ownOf(ctx.state.principal),
  by: 'created_at',
  isId: isFeedId,
  present: presentFeed,
});

/**
 * Errors: 403 `role_insufficient`: an address has its member's rights, so nobody has
 * one of another's bookings.
 */
function assertOwn(principal: Principal, id: string): void {
  if (asId('mem', id) === principal.member_id) return;
  throw new ApiError(
    'role_insufficient',
    'A calendar address of kind member is for your own bookings: send the id of your member.',
  );
}

/**
 * `POST /v1/feeds` (docs/rules/bookings.md#calendar-address). Errors: 403 `role_insufficient` for another
 * member, `auth_scope_insufficient` for a key that reads no bookings; 404 `room_not_found`; 404 `not_found`
 * for a repeat whose address has ended.
 */
export function create({ db, feedLinks }: Deps): Handler<CreateBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const own = ownOf(principal);
    const id = newId('feed');
    if (body.kind === 'member') assertOwn(principal, body.id);
    const [bound, feed] = await transaction(db, async (tx) => {
      const room_id = body.kind === 'room' ? body.id.toLowerCase() : null;
      if (room_id && !(isUuid(room_id) && (await findRoom(tx, own.workspace_id, room_id))))
        throw new ApiError('room_not_found', 'No such room.', { param: 'id' });
      const bound = await bindKey(tx, own.workspace_id, idempotencyOf(ctx), id);
      if (bound === id) {
        // What reads the address has no key: it may show nothing that the key of this request does not.
        authorize(principal, 'calendar:read', 'own_bookings');
        await replaceFeed(tx, principal, room_id, {
          id,
          token_hash: bearerToken(ctx.get('authorization'))!.hash,
        });
      }
      return [bound, (await listFeeds(tx, { ...own, id: bound, limit: 1 }))[0]];
    });
    if (!feed) throw originalDeleted();
    ctx.status = bound === id ? 201 : 200;
    ctx.body = { ...presentFeed(feed), url: bound === id ? feedLinks.linkTo(id) : null };
  };
}

/** `DELETE /v1/feeds/{id}`: ends one of the caller's. Errors: 404 `not_found`. */
export function remove({ db }: Deps): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const id = ctx.params.id!;
    await transaction(db, async (tx) => {
      if (!isFeedId(id) || !(await deleteFeed(tx, principal, id)))
        throw new ApiError('not_found', 'You have no such calendar address.');
    });
    ctx.status = 204;
  };
}
