import { newId } from '../../../db/ids.js';
import { rotateToken } from '../../../commands/api-keys/api-keys.js';
import { findRotation } from '../../../db/queries/api-keys/api-key.js';
import { bindKey, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { transaction } from '../../../db/transaction.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { assertWithinCaller } from '../../../domain/api-keys/key-scope.js';
import type { Principal } from '../../../domain/policies.js';
import { presentRotation } from '../../../domain/api-keys/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { mintToken } from '../../http/tokens.js';
import { lockLiveKey } from './live-key.js';
import { keyIdOf } from './read.js';
import type { RotateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

function rotating(deps: Deps, idOf: (ctx: ApiContext) => string): Handler<RotateBody> {
  return async (ctx) => {
    const id = idOf(ctx);
    const { grace_window_days } = ctx.state.body;
    // The path with the id, also for `/rotate`, which means a different key for each caller.
    const idempotency = idempotencyOf(ctx, `/v1/api-keys/${id}/rotate`);
    ctx.body = await rotateKey(deps, ctx.state.principal, id, grace_window_days, idempotency);
    ctx.status = 200;
  };
}

/** `POST /v1/api-keys/{id}/rotate` */
export const rotate = (deps: Deps): Handler<RotateBody> => rotating(deps, keyIdOf);

/** `POST /v1/api-keys/rotate` */
export const rotateCaller = (deps: Deps): Handler<RotateBody> =>
  rotating(deps, (ctx) => ctx.state.principal.key_id!);

/**
 * Gives a key a new token, which is valid immediately; the previous one stays valid for the grace window
 * (docs/rules/credentials.md#rotation). Id, scope and expiry stay. A repeat does not rotate again and returns
 * the original rotation with a null token. Errors: 403 if the key has more rights than the calling one; 404
 * `key_not_found`; 409 `key_not_live`.
 */
export function rotateKey(
  { db }: Deps,
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
      const previousEnds = await rotateToken(
        tx,
        caller,
        key,
        { ...record, rotation_id },
        graceDays * DAY_SECONDS,
      );
      const details = {
        rotation_id,
        fingerprint: record.fingerprint,
        previous_fingerprint: key.fingerprint,
        previous_expires_at: previousEnds.toISOString(),
      };
      await audit(tx, caller, { action: 'api_key.rotated', object: id, details });
    }
    const rotation = await findRotation(tx, workspace_id, id, bound);
    return presentRotation(
      { ...rotation, key_id: id, rotation_id: bound },
      bound === rotation_id ? token : null,
    );
  });
}
