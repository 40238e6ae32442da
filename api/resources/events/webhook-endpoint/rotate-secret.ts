import { newId } from '../../../../db/ids.js';
import { bindKey, type IdempotencyKey, originalDeleted } from '../../../../commands/api-keys/idempotency.js';
import { lockEvents } from '../../../../commands/events/positions.js';
import { rotateEndpointSecret } from '../../../../commands/events/webhook-endpoints.js';
import { audit } from '../../../../commands/audit-log/audit.js';
import { transaction } from '../../../../db/transaction.js';
import { HOUR_SECONDS } from '../../../../domain/durations.js';
import type { Principal } from '../../../../domain/policies.js';
import { presentWebhookEndpoint } from '../../../../domain/events/webhook-endpoint-presenter.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { Handler } from '../../../http/context.js';
import { idempotencyOf } from '../../../http/idempotency.js';
import { existingEndpoint } from './read.js';
import type { RotateBody } from './shape.js';
import { encryptSecret, newSigningSecret } from './secrets.js';

type Deps = Pick<ApiDependencies, 'db' | 'encryption' | 'webhookRetryScale'>;

/** `POST /v1/webhook-endpoint/rotate-secret` */
export function rotate(deps: Deps): Handler<RotateBody> {
  return async (ctx) => {
    const { overlap_hours } = ctx.state.body;
    ctx.body = await rotateSecret(deps, ctx.state.principal, overlap_hours, idempotencyOf(ctx));
  };
}

/**
 * Gives the endpoint a new secret; the previous one stays valid for the overlap
 * (docs/rules/events.md#signatures). A repeat does not rotate again and returns the current endpoint with a
 * null secret. Errors: 404 `not_found`; 409 `idempotency_conflict`.
 */
export function rotateSecret(
  deps: Deps,
  caller: Principal,
  overlapHours: number,
  idempotency: IdempotencyKey | null,
) {
  const { workspace_id } = caller;
  const secret = newSigningSecret();
  const rotation = newId('rot');
  return transaction(deps.db, async (tx) => {
    const isFirst = (await bindKey(tx, workspace_id, idempotency, rotation)) === rotation;
    if (isFirst) {
      await lockEvents(tx, workspace_id);
      const { id } = await existingEndpoint(tx, workspace_id);
      const overlapSeconds = overlapHours * HOUR_SECONDS * deps.webhookRetryScale;
      await rotateEndpointSecret(tx, workspace_id, encryptSecret(deps, secret, workspace_id), overlapSeconds);
      const action = 'webhook_endpoint.secret_rotated';
      await audit(tx, caller, { action, object: id, details: { overlap_hours: overlapHours } });
    }
    const endpoint = await existingEndpoint(tx, workspace_id);
    // The endpoint was deleted and registered again since; the secret of the new one was never rotated.
    if (!endpoint.previous_secret_until) throw originalDeleted();
    const previous_secret_expires_at = endpoint.previous_secret_until.toISOString();
    return {
      ...presentWebhookEndpoint(endpoint),
      secret: isFirst ? secret : null,
      previous_secret_expires_at,
    };
  });
}
