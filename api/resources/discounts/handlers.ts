import { isDeepStrictEqual } from 'node:util';
import { assertRooms } from '../shared/known-rooms.js';
import { insertDiscount, lockDiscount, updateDiscount } from '../../../commands/rooms/discounts.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { audit, auditEdit } from '../../../commands/workspaces/audit.js';
import { assertFewDiscounts } from '../../../commands/workspaces/quotas.js';
import type { Discount } from '../../../db/entities/discounts.js';
import { newId, newUuid } from '../../../db/ids.js';
import {
  findDiscount,
  listDiscounts,
  type DiscountFilter,
  type DiscountRow,
} from '../../../db/queries/rooms/discount.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import { codeOf, takesAll } from '../../../domain/discounts.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { presentDiscount } from '../../../domain/presenters/discount.js';
import { audienceContradictions } from '../../../domain/rate-contradictions.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { isUuid } from '../../http/fields.js';
import { createOnce } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { DEFAULTS, type CreateBody, type UpdateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** The discount code in the path. Errors: 404 `not_found`. */
export async function discountOf(ctx: ApiContext, { db }: Deps): Promise<DiscountRow> {
  const { id } = ctx.params;
  const { workspace_id } = ctx.state.principal;
  const discount = isUuid(id!) ? await findDiscount(db.manager, workspace_id, id!) : null;
  if (!discount) throw new ApiError('not_found', 'No such discount code.');
  return discount;
}

/** `GET /v1/discounts/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentDiscount(await discountOf(ctx, deps));
  };
}

/** `GET /v1/discounts`, by creation time. */
export const list = listOf({
  find: (tx, filter: DiscountFilter) => listDiscounts(tx, filter),
  by: 'created_at',
  isId: isUuid,
  present: presentDiscount,
});

type Columns = Pick<Discount, 'valid_from' | 'valid_until' | 'audience'>;

/** Errors: 422 for what a code contradicts in itself. */
function assertConsistent({ valid_from, valid_until, audience }: Columns): void {
  if (valid_from && valid_until && valid_until <= valid_from)
    throw invalidField('valid_until', 'must be after {valid_from}');
  const [found] = audienceContradictions(audience);
  if (found) throw invalidField(...found);
}

const columnsOf = ({ rooms, ...rest }: UpdateBody): Partial<Discount> => ({
  ...rest,
  ...(rooms !== undefined && { room_ids: rooms }),
});

/** Tells the owner of a code of 100 %. */
const tellOwner = (tx: Tx, workspace_id: string, id: string): Promise<void> =>
  enqueueMail(tx, { kind: 'full_discount_saved', workspace_id, about: `${id}:${newId('mail')}` });

/** `POST /v1/discounts` (docs/rules/discounts.md). Errors: 409 `limit_reached`, `idempotency_conflict`; 422. */
export function create({ db, quotas }: Pick<ApiDependencies, 'db' | 'quotas'>): Handler<CreateBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { workspace_id } = principal;
    const { code, percent, ...rest } = body;
    const id = newUuid();
    const discount = {
      ...DEFAULTS,
      ...columnsOf(rest),
      id,
      workspace_id,
      code: codeOf(code),
      percent: percent === undefined ? null : String(percent),
    };
    assertConsistent(discount);
    await createOnce(ctx, db, id, {
      async create(tx) {
        await assertRooms(tx, workspace_id, 'rooms', discount.room_ids);
        await assertFewDiscounts(tx, quotas, workspace_id);
        const { currency } = (await findWorkspace(tx, workspace_id))!;
        const priced = { ...discount, currency: discount.amount_minor === null ? null : currency };
        const after = presentDiscount(await insertDiscount(tx, priced));
        if (takesAll(after)) await tellOwner(tx, workspace_id, id);
        await audit(tx, principal, { action: 'discount.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentDiscount((await findDiscount(tx, workspace_id, id))!),
    });
  };
}

/** `PATCH /v1/discounts/{id}`. Errors: 404 `not_found`; 422. */
export function update(deps: Deps): Handler<UpdateBody> {
  return async (ctx) => {
    const { id, workspace_id } = await discountOf(ctx, deps);
    const changes = columnsOf(ctx.state.body);
    ctx.body = await transaction(deps.db, async (tx) => {
      await assertRooms(tx, workspace_id, 'rooms', changes.room_ids);
      const discount = await lockDiscount(tx, workspace_id, id);
      assertConsistent({ ...discount, ...changes });
      const before = presentDiscount(discount);
      const after = presentDiscount(await updateDiscount(tx, discount, changes));
      const isEdited = !isDeepStrictEqual(after, { ...before, updated_at: after.updated_at });
      if (takesAll(after) && !after.archived && isEdited) await tellOwner(tx, workspace_id, id);
      await auditEdit(tx, ctx.state.principal, { action: 'discount.updated', object: id, before, after });
      return after;
    });
  };
}
