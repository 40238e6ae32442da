import { lockRooms, updateRoom } from '../../../commands/rooms/rooms.js';
import { auditEdit } from '../../../commands/audit-log/audit.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import type { Room } from '../../../db/entities/rooms.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import { presentRoom, type PresentedRoom } from '../../../domain/rooms/presenter.js';
import type { Handler } from '../../http/context.js';
import { pictureInBody, uploadedPicture, type Upload, type UploadDeps } from '../shared/picture-upload.js';
import { roomOf } from './handlers.js';
import { MAX_IMAGES } from './shape.js';

function assertSpace({ image_urls }: Pick<Room, 'image_urls'>): void {
  if (image_urls.length < MAX_IMAGES) return;
  throw new ApiError('limit_reached', `A room can have at most ${MAX_IMAGES} pictures.`, {
    details: { limit: MAX_IMAGES },
  });
}

/** Shows a picture as the last one of a room. */
async function show(tx: Tx, by: Principal, room: Room, url: string): Promise<PresentedRoom> {
  const { id } = room;
  const locked = (await lockRooms(tx, room.workspace_id, [id])).get(id)!;
  const before = presentRoom(locked);
  if (locked.image_urls.includes(url)) return before;
  assertSpace(locked);
  const after = presentRoom(await updateRoom(tx, id, { image_urls: [...locked.image_urls, url] }));
  await auditEdit(tx, by, { action: 'room.updated', object: id, before, after });
  return after;
}

/**
 * Stores a picture and shows it as the last one of a room (docs/rules/rooms.md#pictures). The same one again
 * changes nothing. Errors: 409 `limit_reached`, and those of `uploadedPicture`.
 */
export async function addPicture(
  deps: UploadDeps,
  by: Principal,
  room: Room,
  upload: Upload,
): Promise<{ room: PresentedRoom; created: boolean }> {
  const { url, store } = uploadedPicture(deps, room.workspace_id, upload);
  const created = !room.image_urls.includes(url);
  if (created) assertSpace(room);
  await store();
  return { room: await transaction(deps.db, (tx) => show(tx, by, room, url)), created };
}

/** `POST /v1/rooms/{id}/pictures`. Errors: those of `addPicture`; 404; 413 `payload_too_large`. */
export function uploadPicture(deps: UploadDeps): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const added = await addPicture(deps, ctx.state.principal, room, await pictureInBody(ctx));
    ctx.status = added.created ? 201 : 200;
    ctx.body = added.room;
  };
}
