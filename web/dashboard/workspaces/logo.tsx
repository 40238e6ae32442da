import { MAX_PICTURE_BYTES, pictureKeyIn } from '../../../domain/rooms/picture.js';
import { setLogo } from '../../../api/resources/workspaces/logo.js';
import { updateSchema } from '../../../api/resources/workspaces/shape.js';
import { update } from '../../../api/resources/workspaces/update.js';
import type { ApiContext } from '../../../api/http/context.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Form } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { PictureUpload, uploadOf } from '../shared/picture-upload.js';
import type { FormRoute, Page } from '../shared/section.js';

const AT = '/settings/logo';
const toPayers = () => '/settings#payers';

/** Uploads the logo as `PUT /v1/workspace/logo` does. */
const logoForm: Page = (deps) => async (ctx) => {
  await setLogo(deps, ctx.state.principal, uploadOf(ctx));
  redirectWithNotice(ctx, pathIn(ctx, toPayers()), 'The logo has been saved.');
};

const removeLogoForm = apiForm({
  handler: update,
  schema: updateSchema,
  to: toPayers,
  body: () => ({ logo_url: null }),
  notice: () => 'The logo has been removed. Payers see the name of the workspace.',
});

export const logoForms: FormRoute[] = [
  ['/logo', hiddenFields, { maxFileBytes: MAX_PICTURE_BYTES, page: logoForm }],
  ['/logo/remove', hiddenFields, removeLogoForm],
];

/** The logo that was uploaded, with a button that removes it, and a field for another one. */
export function LogoForm({ ctx, of: { logo_url } }: { ctx: ApiContext; of: { logo_url: string | null } }) {
  const at = pathIn(ctx, AT);
  const isUploaded = logo_url && pictureKeyIn(logo_url);
  return (
    <div class="card logo">
      <h3>Logo</h3>
      {isUploaded && (
        <Form ctx={ctx} action={`${at}/remove`} class="picture" once>
          <img src={new URL(logo_url).pathname} alt="The logo" height="40" />
          <button>Remove logo</button>
        </Form>
      )}
      <details class="action" open={ctx.state.rejection?.action === at}>
        <summary>{logo_url ? 'Upload another logo' : 'Upload a logo'}</summary>
        <PictureUpload ctx={ctx} action={at} label="Logo" />
      </details>
    </div>
  );
}
