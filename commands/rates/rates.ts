import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import { RoomRates, type Room } from '../../db/entities/rooms.js';
import { newUuid } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { presentRates } from '../../domain/rates/presenter.js';
import { completeRates, type SentRate } from '../../domain/rates/contradictions.js';
import { boundBefore, type IdempotencyKey } from '../api-keys/idempotency.js';
import { auditEdit } from '../audit-log/audit.js';
import { lockRoom, updateRoom } from '../rooms/rooms.js';

/**
 * Replaces the rates of a room and stores them under the next version (docs/rules/rates.md#versions).
 * Bookings keep theirs. Nothing changes if the list stays the same, or if the key was already used. Returns
 * the room. `version`: the version that is replaced; null for any. Errors: 404 `room_not_found`; 412
 * `version_conflict`; 422.
 */
export const replaceRates = (
  db: DataSource,
  caller: Principal,
  { room_id, version, rates: sent }: { room_id: string; version: number | null; rates: SentRate[] },
  idempotency: IdempotencyKey | null,
): Promise<Room> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const isDone = (await boundBefore(tx, workspace_id, idempotency, room_id)) !== null;
    const room = await lockRoom(tx, workspace_id, room_id);
    if (isDone) return room;
    if (version !== null && version !== room.rate_version) {
      const message =
        `The rates have version ${room.rate_version}, not ${version}. Get the rates again, and apply ` +
        'your change to them.';
      throw new ApiError('version_conflict', message, { details: { version: room.rate_version } });
    }
    const rates = completeRates(sent, room.rates, newUuid);
    if (isDeepStrictEqual(rates, room.rates)) return room;
    const next = room.rate_version + 1;
    await tx.insert(RoomRates, { room_id, version: next, workspace_id, rates });
    const changed = await updateRoom(tx, room_id, { rates, rate_version: next });
    const [before, after] = [presentRates(room), presentRates(changed)];
    await auditEdit(tx, caller, { action: 'room.rates_changed', object: room_id, before, after });
    return changed;
  });
