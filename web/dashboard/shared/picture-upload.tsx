import { invalidField } from '../../../domain/errors.js';
import { PICTURE_TYPES } from '../../../domain/rooms/picture.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Upload } from '../../../api/resources/shared/picture-upload.js';
import { Form } from './form.js';

/** The file of a form that uploads a picture. Errors: 422 on `picture` if none was chosen. */
export function readUpload(ctx: ApiContext): Upload {
  const { file } = ctx.state;
  if (!file || file.content.length === 0) throw invalidField('picture', 'is missing');
  return file;
}

export function PictureUpload({ ctx, action, label }: { ctx: ApiContext; action: string; label: string }) {
  return (
    <Form ctx={ctx} action={action} file>
      <label for="picture">{label} (PNG, JPEG or WebP, at most 5 MB)</label>
      <input id="picture" name="picture" type="file" accept={Object.values(PICTURE_TYPES).join()} required />
      <button>Upload</button>
    </Form>
  );
}
