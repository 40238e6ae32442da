import type { Room } from '../../../db/rows.js';
import { newUuid } from '../../../db/ids.js';
import { insertRoom } from '../../../commands/rooms/rooms.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { audit } from '../../../commands/workspaces/audit.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { presentRoom } from '../../../domain/presenters/room.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { createOnce } from '../../http/idempotency.js';
import { assertLengths, assertTaxCode, columnsOf } from './rules.js';
import type { RoomBody } from './schema.js';

/** What a room has unless its create says otherwise; its time zone is the workspace's. */
const DEFAULTS = {
  description: null,
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  turnaround_minutes: 0,
  edit_window_minutes: 60,
  tax_code: 'STANDARD',
  tiers: null,
  tier_discounts: {},
  refund_steps: [
    { hours_before: 24, percent: 100 },
    { hours_before: 0, percent: 0 },
  ],
  self_service: true,
  archived: false,
};

/** `POST /v1/rooms` (docs/rules/rooms.md#rooms). Errors: 409, 422. */
export function create(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const body = ctx.state.body as RoomBody;
    const { time_zone } = (await findWorkspace(deps.db.manager, workspace_id))!;
    const id = newUuid();
    const room = { time_zone, ...DEFAULTS, ...columnsOf(body), id, workspace_id } as Room;
    assertLengths(room);
    await createOnce(ctx, deps.db, id, {
      async create(tx) {
        await assertTaxCode(tx, workspace_id, room.tax_code);
        const after = presentRoom(await insertRoom(tx, room));
        await audit(tx, ctx.state.principal, { action: 'room.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentRoom((await findRoom(tx, workspace_id, id))!),
    });
  };
}
