import type { DataSource } from 'typeorm';
import { RoomRates } from '../../db/entities/rooms.js';
import { newUuid } from '../../db/ids.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import type { Principal } from '../../domain/policies.js';
import { presentRates } from '../../domain/rates/presenter.js';
import { presentRoom, type PresentedRoom } from '../../domain/rooms/presenter.js';
import { copiedRoom, noSuchRoom } from '../../domain/rooms/room.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { takePlace } from '../workspaces/quotas.js';
import { insertRoom, updateRoom } from './rooms.js';

/**
 * Copies a room with its rates under another name (docs/rules/rooms.md#copies). Its bookings, blackouts,
 * feeds, parts and metadata stay with the original. Errors: 404 `room_not_found`; 409 `limit_reached`,
 * `idempotency_conflict`.
 */
export function copyRoom(
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  { room_id, name }: { room_id: string; name: string },
  idempotency: IdempotencyKey | null,
): Promise<Created<PresentedRoom>> {
  const { workspace_id } = caller;
  const id = newUuid();
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        const original = await findRoom(tx, workspace_id, room_id);
        if (!original) throw noSuchRoom();
        await takePlace(tx, quotas, workspace_id, 'rooms');
        const { created_at: _created, updated_at: _updated, rate_version: _version, ...described } = original;
        const { rates: current, ...terms } = copiedRoom(described, name);
        let made = await insertRoom(tx, { ...terms, id });
        if (current.length > 0) {
          const rates = current.map((rate) => ({ ...rate, id: newUuid() }));
          await tx.insert(RoomRates, { room_id: id, version: 1, workspace_id, rates });
          made = await updateRoom(tx, id, { rates, rate_version: 1 });
        }
        const details = { copied_from: original.id, after: presentRoom(made), rates: presentRates(made) };
        await audit(tx, caller, { action: 'room.created', object: id, details });
      },
      find: async (tx, id) => presentRoom((await findRoom(tx, workspace_id, id))!),
    },
  );
}
