import { findMissingRooms } from '../../db/queries/rooms/room.js';
import type { Tx } from '../../db/transaction.js';
import { invalidField } from '../../domain/errors.js';

/** `ids`: null for all rooms. Errors: 422 on `field` for a room that the workspace does not have. */
export async function assertRooms(
  tx: Tx,
  workspaceId: string,
  field: 'rooms' | 'room_ids',
  ids: string[] | null | undefined,
): Promise<void> {
  if (!ids) return;
  const [missing] = await findMissingRooms(tx, workspaceId, ids);
  if (missing) throw invalidField(`${field}.${ids.indexOf(missing)}`, 'is not a room of this workspace');
}
