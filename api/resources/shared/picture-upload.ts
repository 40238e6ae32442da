import { keyOfPicture, keyOfTerms, storePicture } from '../../../commands/rooms/pictures/pictures.js';
import { ApiError, type ErrorCode } from '../../../domain/errors.js';
import {
  isPdf,
  PICTURE_TYPES,
  pictureKind,
  picturePath,
  TERMS_TYPE,
  type TermsKey,
} from '../../../domain/rooms/picture.js';
import type { ApiDependencies } from '../../dependencies.js';

export type UploadDeps = Pick<ApiDependencies, 'db' | 'pictures' | 'publicUrl'>;

/** An upload. `type` is the media type that the client sent. */
export interface Upload {
  content: Uint8Array;
  type: string;
}

/** The common part of operations that accept a picture. */
export const PICTURE_BODY = {
  upload: Object.values(PICTURE_TYPES),
  errors: [
    'limit_reached',
    'payload_too_large',
    'unsupported_media_type',
    'uploads_unconfigured',
  ] satisfies ErrorCode[],
};

/**
 * An upload that is a picture (docs/rules/rooms.md#pictures): its address, and `store`, which stores it. The
 * same picture has the same address. Errors: 412 `uploads_unconfigured`, 415 `unsupported_media_type`;
 * `store`: 409 `limit_reached`.
 */
export function uploadedPicture(
  { db, pictures, publicUrl }: UploadDeps,
  workspace_id: string,
  { content, type }: Upload,
): { url: string; store: () => Promise<void> } {
  if (!pictures)
    throw new ApiError('uploads_unconfigured', 'Uploads are not set up. Send the URLs of pictures instead.');
  const kind = pictureKind(content);
  if (!kind || PICTURE_TYPES[kind] !== type)
    throw new ApiError(
      'unsupported_media_type',
      'Send a PNG, JPEG or WebP picture with its own content type.',
    );
  const key = keyOfPicture(workspace_id, content, kind);
  return {
    url: publicUrl + picturePath(key),
    store: () => storePicture(db, pictures, { workspace_id, key, content }),
  };
}

/**
 * An upload that is a PDF with terms: its key, and `store`, which stores it. Errors: 412
 * `uploads_unconfigured`, 415 `unsupported_media_type`; `store`: 409 `limit_reached`.
 */
export function uploadedTerms(
  { db, pictures }: UploadDeps,
  workspace_id: string,
  { content, type }: Upload,
): { key: TermsKey; store: () => Promise<void> } {
  if (!pictures)
    throw new ApiError('uploads_unconfigured', 'Uploads are not set up. Send the URL or text of the terms.');
  if (!isPdf(content) || type !== TERMS_TYPE)
    throw new ApiError('unsupported_media_type', 'Send a PDF with its own content type.');
  const key = keyOfTerms(workspace_id, content);
  return { key, store: () => storePicture(db, pictures, { workspace_id, key, content }) };
}
