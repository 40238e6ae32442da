import type { RoomOfParts } from '../../../domain/rooms/parts.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Lists all rooms of a workspace with their parts, including archived ones. */
export const listRoomsOfParts = (tx: Tx, workspaceId: string): Promise<(RoomOfParts & { name: string })[]> =>
  many<RoomOfParts & { name: string }>(
    tx,
    `SELECT id, name, parts, archived FROM rooms WHERE workspace_id = $1 ORDER BY created_at, id`,
    [workspaceId],
  );
