import { ApiError } from '../../domain/errors.js';
import type { ApiContext } from './context.js';

/**
 * The version in the `If-Match` header, as in the ETag of the object that the request changes; null without
 * the header and for `*`. Errors: 422 `validation_failed` for any other value.
 */
export function expectedVersion({ headers }: Pick<ApiContext, 'headers'>): number | null {
  const header = headers['if-match']?.trim();
  // An empty header comes from a client that has lost the version: it must not replace whatever is there.
  if (header === undefined || header === '*') return null;
  const version = /^"?(\d{1,9})"?$/.exec(header)?.[1];
  if (version !== undefined) return Number(version);
  throw new ApiError('validation_failed', 'If-Match must be a version, such as "3".', { param: 'If-Match' });
}
