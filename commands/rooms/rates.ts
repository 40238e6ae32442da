import { isDeepStrictEqual } from 'node:util';
import { RoomRates, type Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { presentRates } from '../../domain/presenters/room-rates.js';
import type { RoomRate } from '../../domain/rates.js';
import { auditEdit } from '../workspaces/audit.js';
import { lockRooms, updateRoom } from './rooms.js';

/**
 * Replaces the rates of a room by another list and keeps it under the next version (docs/rules/rates.md#versions). Bookings
 * keep theirs. `rates` gets the current list. Nothing changes if the list stays the same.
 * Errors: 412 `version_conflict` if the version is not the expected one; 404 `room_not_found`.
 */
export async function setRates(
  tx: Tx,
  by: Principal,
  { workspace_id, room_id, expected }: { workspace_id: string; room_id: string; expected: number | null },
  ratesOf: (known: RoomRate[]) => RoomRate[],
): Promise<Room> {
  const room = (await lockRooms(tx, workspace_id, [room_id])).get(room_id);
  if (!room) throw new ApiError('room_not_found', 'No such room.');
  if (expected !== null && expected !== room.rate_version) {
    const message = `The rates have version ${room.rate_version}, not ${expected}. Get them again and apply the change to them.`;
    throw new ApiError('version_conflict', message, { details: { version: room.rate_version } });
  }
  const rates = ratesOf(room.rates);
  if (isDeepStrictEqual(rates, room.rates)) return room;
  const version = room.rate_version + 1;
  await tx.insert(RoomRates, { room_id, version, workspace_id, rates });
  const changed = await updateRoom(tx, room_id, { rates, rate_version: version });
  const [before, after] = [presentRates(room), presentRates(changed)];
  await auditEdit(tx, by, { action: 'room.rates_changed', object: room_id, before, after });
  return changed;
}
