import { assertRooms } from '../shared/known-rooms.js';
import { insertExtra, lockExtras, updateExtra } from '../../../commands/rooms/extras.js';
import { audit, auditEdit } from '../../../commands/workspaces/audit.js';
import { assertFewExtras } from '../../../commands/workspaces/quotas.js';
import type { Extra } from '../../../db/entities/extras.js';
import { newUuid } from '../../../db/ids.js';
import { findExtra, listExtras, type ExtraFilter } from '../../../db/queries/rooms/extra.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { can, type Principal } from '../../../domain/policies.js';
import { presentExtra } from '../../../domain/presenters/extra.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { isUuid } from '../../http/fields.js';
import { createOnce } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { assertTaxCode } from '../rooms/handlers.js';
import { DEFAULTS, type CreateBody, type UpdateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** Whether a caller sees those extras that only staff book. */
export const seesInternal = ({ role }: Pick<Principal, 'role'>): boolean => can(role, 'all_bookings');

/** The extra in the path. Errors: 404 `not_found`, also for what only staff see. */
export async function extraOf(ctx: ApiContext, { db }: Deps): Promise<Extra> {
  const { id } = ctx.params;
  const { principal } = ctx.state;
  const extra = isUuid(id!) ? await findExtra(db.manager, principal.workspace_id, id!) : null;
  if (!extra || (extra.internal && !seesInternal(principal)))
    throw new ApiError('not_found', 'No such extra.');
  return extra;
}

/** `GET /v1/extras/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentExtra(await extraOf(ctx, deps));
  };
}

/** `GET /v1/extras`, by creation time. */
export const list = listOf({
  find: (tx, filter: ExtraFilter) => listExtras(tx, filter),
  of: async ({ state: { principal } }) => ({
    workspace_id: principal.workspace_id,
    only_public: !seesInternal(principal),
  }),
  by: 'created_at',
  isId: isUuid,
  present: presentExtra,
});

/** The columns of an extra's fields. */
export function columnsOf({ price, rooms, ...rest }: UpdateBody): Partial<Extra> {
  return {
    ...rest,
    ...(rooms !== undefined && { room_ids: rooms }),
    ...(price && { currency: price.currency, price_minor: price.amount_minor }),
  };
}

/** `POST /v1/extras` (docs/rules/extras.md). Errors: 409 `limit_reached`, `idempotency_conflict`; 422. */
export function create({ db, quotas }: Pick<ApiDependencies, 'db' | 'quotas'>): Handler<CreateBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { workspace_id } = principal;
    const id = newUuid();
    const extra = { ...DEFAULTS, ...columnsOf(body), id, workspace_id } as Extra;
    await createOnce(ctx, db, id, {
      async create(tx) {
        await assertTaxCode(tx, workspace_id, extra.tax_code);
        await assertRooms(tx, workspace_id, 'rooms', extra.room_ids);
        await assertFewExtras(tx, quotas, workspace_id);
        const after = presentExtra(await insertExtra(tx, extra));
        await audit(tx, principal, { action: 'extra.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentExtra((await findExtra(tx, workspace_id, id))!),
    });
  };
}

/** `PATCH /v1/extras/{id}`. Errors: 404 `not_found`; 422. */
export function update(deps: Deps): Handler<UpdateBody> {
  return async (ctx) => {
    const { id, workspace_id } = await extraOf(ctx, deps);
    const changes = columnsOf(ctx.state.body);
    ctx.body = await transaction(deps.db, async (tx) => {
      if (changes.tax_code) await assertTaxCode(tx, workspace_id, changes.tax_code);
      await assertRooms(tx, workspace_id, 'rooms', changes.room_ids);
      const [extra] = await lockExtras(tx, workspace_id, [id]);
      const before = presentExtra(extra!);
      const after = presentExtra(await updateExtra(tx, id, changes));
      await auditEdit(tx, ctx.state.principal, { action: 'extra.updated', object: id, before, after });
      return after;
    });
  };
}
