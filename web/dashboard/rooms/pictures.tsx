import joi from 'joi';
import type { Room } from '../../../db/entities/rooms.js';
import { pictureKeyIn } from '../../../domain/rooms/picture.js';
import { update } from '../../../api/resources/rooms/handlers.js';
import { addPicture } from '../../../api/resources/rooms/pictures.js';
import { MAX_IMAGES, updateSchema } from '../../../api/resources/rooms/shape.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import type { ApiContext } from '../../../api/http/context.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Form } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { PictureUpload, uploadOf } from '../shared/picture-upload.js';
import type { Page } from '../shared/section.js';
import { toRoom } from './room-change.js';

export const pictureFields = { ...hiddenFields };

/** Uploads a picture as `POST /v1/rooms/{id}/pictures` does. */
export const pictureForm: Page = (deps) => async (ctx) => {
  const { room } = await addPicture(deps, ctx.state.principal, await roomOf(ctx, deps), uploadOf(ctx));
  redirectWithNotice(ctx, pathIn(ctx, toRoom(ctx)), `The picture of ${room.name} has been saved.`);
};

export const removePictureFields = { ...hiddenFields, url: joi.string().max(2_000).required() };

/** Takes a picture off the room. One that was uploaded is removed later. */
export const removePictureForm = apiForm<{ url: string }, { name: string }>({
  handler: update,
  schema: updateSchema,
  to: toRoom,
  async body({ url }, ctx, deps) {
    const { image_urls } = await roomOf(ctx, deps);
    return { image_urls: image_urls.filter((each) => each !== url) };
  },
  notice: ({ name }) => `The picture has been removed from ${name}.`,
});

/** The uploaded pictures of a room, each with a button that removes it, and a field for another one. */
export function PicturesForm({ ctx, room, canUpload }: { ctx: ApiContext; room: Room; canUpload: boolean }) {
  const at = pathIn(ctx, `/rooms/${room.id}/pictures`);
  const own = room.image_urls.filter((url) => pictureKeyIn(url));
  if (!canUpload) return null;
  return (
    <details class="action" open={ctx.state.rejection?.action === at}>
      <summary>Uploaded pictures</summary>
      {own.map((url, n) => (
        <Form key={url} ctx={ctx} action={`${at}/remove`} class="picture" once>
          <img src={new URL(url).pathname} alt={`Picture ${n + 1}`} width="160" loading="lazy" />
          <input type="hidden" name="url" value={url} />
          <button aria-label={`Remove picture ${n + 1}`}>Remove</button>
        </Form>
      ))}
      {room.image_urls.length < MAX_IMAGES ? (
        <PictureUpload ctx={ctx} action={at} label="Picture" />
      ) : (
        <p>A room can have at most {MAX_IMAGES} pictures. Remove one to upload another.</p>
      )}
    </details>
  );
}
