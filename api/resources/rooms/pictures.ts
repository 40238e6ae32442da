import { keyOfPicture, storePicture } from '../../../commands/pictures/pictures.js';
import { lockRooms, updateRoom } from '../../../commands/rooms/rooms.js';
import { auditEdit } from '../../../commands/workspaces/audit.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import type { Room } from '../../../db/entities/rooms.js';
import { ApiError } from '../../../domain/errors.js';
import { MAX_PICTURE_BYTES, PICTURE_TYPES, pictureKind, picturePath } from '../../../domain/picture.js';
import type { Principal } from '../../../domain/policies.js';
import { presentRoom, type PresentedRoom } from '../../../domain/presenters/room.js';
import type { ApiDependencies } from '../../dependencies.js';
import { readBytes } from '../../http/body.js';
import type { Handler } from '../../http/context.js';
import { roomOf } from './handlers.js';
import { MAX_IMAGES } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'pictures' | 'publicUrl'>;

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
 * Stores a picture and shows it as the last one of a room (docs/rules/rooms.md#pictures). The same one again changes nothing.
 * `type`: what it is said to be. Errors: 409 `limit_reached`, 412 `uploads_unconfigured`, 415 `unsupported_media_type`.
 */
export async function addPicture(
  { db, pictures, publicUrl }: Deps,
  by: Principal,
  room: Room,
  { content, type }: { content: Uint8Array; type: string },
): Promise<{ room: PresentedRoom; created: boolean }> {
  if (!pictures)
    throw new ApiError(
      'uploads_unconfigured',
      'Uploads are not set up. Send the addresses of pictures instead.',
    );
  const kind = pictureKind(content);
  if (!kind || PICTURE_TYPES[kind] !== type)
    throw new ApiError(
      'unsupported_media_type',
      'Send a PNG, JPEG or WebP picture with its own content type.',
    );
  const key = keyOfPicture(room.workspace_id, content, kind);
  const url = publicUrl + picturePath(key);
  const created = !room.image_urls.includes(url);
  if (created) assertSpace(room);
  await storePicture(db, pictures, { workspace_id: room.workspace_id, key, content });
  return { room: await transaction(db, (tx) => show(tx, by, room, url)), created };
}

/** `POST /v1/rooms/{id}/pictures`. Errors: those of `addPicture`; 404; 413 `payload_too_large`. */
export function uploadPicture(deps: Deps): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const content = await readBytes(ctx, MAX_PICTURE_BYTES);
    const type = ctx.request.type.toLowerCase();
    const added = await addPicture(deps, ctx.state.principal, room, { content, type });
    ctx.status = added.created ? 201 : 200;
    ctx.body = added.room;
  };
}
