import { lockApiKey } from '../../../commands/api-keys/api-keys.js';
import { type ApiKeyRow } from '../../../db/queries/api-keys/api-key.js';
import type { Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { keyNotFound } from './read.js';

/**
 * A valid secret key, locked. Errors: 404 `key_not_found`; 409 `key_not_live` for a revoked or expired key;
 * 422 for a publishable one.
 */
export async function lockLiveKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow> {
  const key = await lockApiKey(tx, workspaceId, id);
  if (!key) throw keyNotFound();
  if (key.revoked_at || key.expires_at <= new Date())
    throw new ApiError(
      'key_not_live',
      'This key has been revoked or has expired, so it can no longer be changed. Create a new key.',
    );
  if (key.kind === 'publishable')
    throw new ApiError(
      'validation_failed',
      'A publishable key has no scope, expiry or secret that could change. Create another one, ' +
        'then revoke this one.',
      { param: 'id' },
    );
  return key;
}
