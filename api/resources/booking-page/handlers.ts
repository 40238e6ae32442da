import { lockWorkspace } from '../../../commands/workspaces/workspaces.js';
import { auditEdit } from '../../../commands/audit-log/audit.js';
import { putBookingPage } from '../../../commands/booking-page/booking-page.js';
import { findBookingPage } from '../../../db/queries/booking-page/booking-page.js';
import { transaction } from '../../../db/transaction.js';
import { presentBookingPage } from '../../../domain/booking-page/page-presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { assertRooms } from '../../../commands/rooms/known-rooms.js';
import type { PutBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'publicUrl'>;

/** `GET /v1/booking-page` */
export function get({ db, publicUrl }: Deps): Handler {
  return async (ctx) => {
    const page = await findBookingPage(db.manager, ctx.state.principal.workspace_id);
    ctx.body = presentBookingPage(page, publicUrl);
  };
}

/** `PUT /v1/booking-page` (docs/rules/booking-page.md#settings). Errors: 422 `validation_failed`. */
export function put({ db, publicUrl }: Deps): Handler<PutBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { workspace_id } = principal;
    ctx.body = await transaction(db, async (tx) => {
      await lockWorkspace(tx, { id: workspace_id });
      await assertRooms(tx, workspace_id, 'room_ids', body.room_ids);
      const before = presentBookingPage(await findBookingPage(tx, workspace_id), publicUrl);
      const { accent = null, logo_url = null } = body.theme;
      const theme = { accent, logo_url };
      const after = presentBookingPage(await putBookingPage(tx, { ...body, workspace_id, theme }), publicUrl);
      const action = 'booking_page.updated';
      await auditEdit(tx, principal, { action, object: workspace_id, before, after });
      return after;
    });
  };
}
