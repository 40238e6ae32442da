import { listApiKeys } from '../../../db/queries/access/api-key.js';
import { ApiError } from '../../../domain/errors.js';
import { presentApiKey } from '../../../domain/presenters/api-key.js';
import type { ApiContext } from '../../http/context.js';
import { listOf } from '../../http/list.js';
import { isKeyId } from './shape.js';

export const keyNotFound = (): ApiError => new ApiError('key_not_found', 'No such API key.');

/** The key id in the path. Errors: 404 `key_not_found`. */
export function keyIdOf({ params: { id } }: ApiContext): string {
  if (isKeyId(id!)) return id!;
  throw keyNotFound();
}

/** `GET /v1/api-keys`, newest first. */
export const list = listOf({
  find: listApiKeys,
  by: 'created_at',
  isId: isKeyId,
  present: presentApiKey,
});
