import type { DataSource } from 'typeorm';
import { isUuid, newUuid } from '../../db/ids.js';
import { many } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { NOW } from '../../db/database-time.js';
import { Room } from '../../db/entities/rooms.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { changedMetadata } from '../../domain/metadata.js';
import type { Principal } from '../../domain/policies.js';
import { presentRoom, type PresentedRoom } from '../../domain/rooms/presenter.js';
import {
  assertChange,
  assertSpaceForPicture,
  changedRoom,
  newRoom,
  noSuchRoom,
  type NewRoom,
  type RoomChanges,
} from '../../domain/rooms/room.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { boundBefore, createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit, auditEdit } from '../audit-log/audit.js';
import { takePlace } from '../workspaces/quotas.js';
import { storedZone } from '../workspaces/settings.js';
import { assertTaxCode } from '../workspaces/workspaces.js';
import { linkParts } from './parts.js';

/** Creates a room (docs/rules/rooms.md#rooms). Errors: 409 `limit_reached`, `idempotency_conflict`; 422. */
export function createRoom(
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  sent: NewRoom,
  idempotency: IdempotencyKey | null,
): Promise<Created<PresentedRoom>> {
  const { workspace_id } = caller;
  const id = newUuid();
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        const workspace = (await findWorkspace(tx, workspace_id))!;
        const { parts, ...room } = newRoom(sent, workspace.time_zone);
        const time_zone = await storedZone(tx, room.time_zone);
        await assertTaxCode(tx, workspace_id, room.tax_code);
        await takePlace(tx, quotas, workspace_id, 'rooms');
        let made = await insertRoom(tx, { ...room, time_zone, parts: [], id, workspace_id });
        if (parts.length > 0) {
          await linkParts(tx, { workspace_id, room_id: id, parts });
          made = await updateRoom(tx, id, { parts });
        }
        const after = presentRoom(made);
        await audit(tx, caller, { action: 'room.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentRoom((await findRoom(tx, workspace_id, id))!),
    },
  );
}

/**
 * Changes a room (docs/rules/rooms.md#rooms). Existing bookings keep their price and turnaround. Errors: 404
 * `room_not_found`; 409 `parts_conflict`; 422.
 */
export const changeRoom = (
  db: DataSource,
  caller: Principal,
  id: string,
  sent: RoomChanges,
): Promise<PresentedRoom> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const found = await findRoom(tx, workspace_id, id);
    if (!found) throw noSuchRoom();
    const changes = changedRoom(sent);
    if (changes.time_zone) changes.time_zone = await storedZone(tx, changes.time_zone);
    if (changes.tax_code) await assertTaxCode(tx, workspace_id, changes.tax_code);
    if (changes.parts) await linkParts(tx, { workspace_id, room_id: found.id, parts: changes.parts });
    const room = await lockRoom(tx, workspace_id, found.id);
    assertChange(room, changes);
    return editRoom(tx, caller, room, { ...changes, ...changedMetadata(room, sent) });
  });

/**
 * Adds a picture at the end of a room's pictures, once per key. Errors: 404 `room_not_found`; 409
 * `limit_reached`, `idempotency_conflict`.
 */
export const showPicture = (
  db: DataSource,
  caller: Principal,
  id: string,
  url: string,
  idempotency: IdempotencyKey | null,
): Promise<PresentedRoom> =>
  transaction(db, async (tx) => {
    const isDone = (await boundBefore(tx, caller.workspace_id, idempotency, id)) !== null;
    const room = await lockRoom(tx, caller.workspace_id, id);
    if (isDone || room.image_urls.includes(url)) return presentRoom(room);
    assertSpaceForPicture(room);
    return editRoom(tx, caller, room, { image_urls: [...room.image_urls, url] });
  });

/** Stores a change of a locked room, with its audit entry. */
async function editRoom(
  tx: Tx,
  caller: Principal,
  room: Room,
  changes: Partial<Room>,
): Promise<PresentedRoom> {
  const before = presentRoom(room);
  const after = presentRoom(await updateRoom(tx, room.id, changes));
  await auditEdit(tx, caller, { action: 'room.updated', object: room.id, before, after });
  return after;
}

/**
 * Returns a room, locked with its leaves. Every edit of a room takes this lock. Errors: 404 `room_not_found`.
 */
export async function lockRoom(tx: Tx, workspaceId: string, id: string): Promise<Room> {
  const room = isUuid(id) && (await lockRooms(tx, workspaceId, [id])).get(id.toLowerCase());
  if (!room) throw noSuchRoom();
  return room;
}

/**
 * Returns rooms of a workspace, locked with their leaves in order of id, so that two changes of the same
 * rooms cannot deadlock.
 */
export async function lockRooms(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, Room>> {
  const rooms = await many<Room>(
    tx,
    `SELECT * FROM rooms WHERE id = ANY (ARRAY(SELECT with_leaves($2::uuid[]))) AND workspace_id = $1
     ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, ids],
  );
  return new Map(rooms.map((room) => [room.id, room]));
}

/** Stores a room and returns it. */
export function insertRoom(
  tx: Tx,
  room: Omit<Room, 'id' | 'created_at' | 'updated_at' | 'rates' | 'rate_version'> & { id?: string },
): Promise<Room> {
  return insertReturning(tx, Room, { ...room, id: room.id ?? newUuid() });
}

/** Changes a room and returns it. Existing bookings keep their price and turnaround. */
export async function updateRoom(tx: Tx, id: string, changes: Partial<Room>): Promise<Room> {
  await tx.update(Room, { id }, { ...changes, updated_at: NOW });
  return tx.findOneByOrFail(Room, { id });
}
