import { newId } from '../../db/ids.js';
import { type ApiKeyRow, findApiKey, findRotation } from '../../db/repositories/access/api-key-queries.js';
import {
  lockApiKey,
  revokeApiKeys,
  rotateToken,
  updateApiKey,
} from '../../db/repositories/access/api-keys.js';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { assertNarrower, assertWithinCaller, assertSomeScope } from '../../domain/key-scope.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import { mintToken } from '../http/tokens.js';
import { presentKey } from './presenter.js';
import type { NarrowBody } from './schema.js';

const DAY_SECONDS = 86_400;

/** Errors: 404 `key_not_found`; 409 `key_not_live` for a key that has ended. */
async function lockLiveKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow> {
  const key = await lockApiKey(tx, workspaceId, id);
  if (!key) throw keyNotFound();
  if (key.revoked_at || key.expires_at <= new Date())
    throw new ApiError('key_not_live', 'This key has been revoked or has expired; it stays so.');
  return key;
}

const keyNotFound = (): ApiError => new ApiError('key_not_found', 'There is no such key.');

/**
 * Renames a key, narrows its scope, or ends it earlier. Errors: 404, 409 as above; 422 `scope_not_narrower` for
 * anything it doesn't have already, `validation_failed` for what leaves it no scope.
 */
export function narrowKey(
  { db }: ApiDependencies,
  caller: Principal,
  id: string,
  body: NarrowBody,
): Promise<ReturnType<typeof presentKey>> {
  const { workspace_id } = caller;
  return transaction(db, async (tx) => {
    const key = await lockLiveKey(tx, workspace_id, id);
    const wanted = {
      ...key,
      ...body.scope,
      name: body.name ?? key.name,
      expires_at: body.expires_at ?? key.expires_at,
    };
    assertSomeScope(wanted);
    assertNarrower(wanted, key);
    if (wanted.expires_at > key.expires_at)
      throw new ApiError('scope_not_narrower', 'A key cannot be made to last longer.', {
        param: 'expires_at',
      });
    await updateApiKey(tx, id, wanted);
    const before = presentKey(key);
    const after = presentKey((await findApiKey(tx, workspace_id, id))!);
    const shown = ({ name, scope, expires_at }: typeof after) => ({ name, scope, expires_at });
    const details = { fingerprint: key.fingerprint, before: shown(before), after: shown(after) };
    await audit(tx, caller, { action: 'api_key.narrowed', object: id, details });
    return after;
  });
}

/**
 * Gives a key a new token, which works at once; the one before goes on for the grace window. Same id, scope and end. A
 * repeat rotates nothing: it gives the first one's rotation, with null for the token that was shown then. Errors: 404,
 * 409 as above; 403 for a key that may do more than the calling one.
 */
export function rotateKey(
  { db }: ApiDependencies,
  caller: Principal,
  id: string,
  graceDays: number,
  idempotency: IdempotencyKey | null,
) {
  const { workspace_id } = caller;
  const { token, record } = mintToken();
  return transaction(db, async (tx) => {
    const rotation_id = newId('rot');
    const bound = await bindKey(tx, workspace_id, idempotency, rotation_id);
    if (bound === rotation_id) {
      const key = await lockLiveKey(tx, workspace_id, id);
      assertWithinCaller(caller, key);
      const previousEnds = await rotateToken(tx, key, { ...record, rotation_id }, graceDays * DAY_SECONDS);
      const details = {
        rotation_id,
        fingerprint: record.fingerprint,
        previous_fingerprint: key.fingerprint,
        previous_expires_at: previousEnds.toISOString(),
      };
      await audit(tx, caller, { action: 'api_key.rotated', object: id, details });
    }
    const { fingerprint, previous_expires_at, expires_at } = await findRotation(tx, workspace_id, id, bound);
    return {
      id,
      token: bound === rotation_id ? token : null,
      fingerprint,
      rotation_id: bound,
      previous_expires_at: previous_expires_at.toISOString(),
      expires_at: expires_at.toISOString(),
    };
  });
}

/** Revokes a key for ever; one that was revoked before stays as it is. Errors: 404 `key_not_found`. */
export function revokeKey({ db }: ApiDependencies, caller: Principal, id: string): Promise<void> {
  return transaction(db, async (tx) => {
    if (!(await lockApiKey(tx, caller.workspace_id, id))) throw keyNotFound();
    await revokeApiKeys(tx, caller, { id });
  });
}

/** Revokes every key of the workspace, the calling one too. Returns how many there were. */
export function revokeAllKeys({ db }: ApiDependencies, caller: Principal): Promise<number> {
  return transaction(db, (tx) => revokeApiKeys(tx, caller));
}
