import type { Principal } from '../../../domain/policies.js';
import type { Handler } from '../../http/context.js';
import { pictureInBody, uploadedPicture, type Upload, type UploadDeps } from '../shared/picture-upload.js';
import { updateWorkspaceSettings } from './update.js';

/**
 * Stores a picture and makes it the logo (docs/rules/workspace.md#look). Errors: those of `uploadedPicture`.
 */
export async function setLogo(deps: UploadDeps, by: Principal, upload: Upload) {
  const { url, store } = uploadedPicture(deps, by.workspace_id, upload);
  await store();
  return updateWorkspaceSettings(deps, by, { logo_url: url });
}

/** `PUT /v1/workspace/logo`. Errors: those of `setLogo`; 413 `payload_too_large`. */
export function uploadLogo(deps: UploadDeps): Handler {
  return async (ctx) => {
    ctx.body = await setLogo(deps, ctx.state.principal, await pictureInBody(ctx));
  };
}
