import { lockEvents } from '../../../../commands/events/positions.js';
import { deleteEndpoint as deleteStored } from '../../../../commands/events/webhook-endpoints.js';
import { audit } from '../../../../commands/audit-log/audit.js';
import { transaction } from '../../../../db/transaction.js';
import type { Principal } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { Handler } from '../../../http/context.js';
import { existingEndpoint } from './read.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** `DELETE /v1/webhook-endpoint` */
export function remove(deps: Deps): Handler {
  return async (ctx) => {
    await deleteEndpoint(deps, ctx.state.principal);
    ctx.status = 204;
  };
}

/** Deletes the endpoint with its secret and pending deliveries. Errors: 404 `not_found`. */
export function deleteEndpoint({ db }: Deps, caller: Principal): Promise<void> {
  return transaction(db, async (tx) => {
    await lockEvents(tx, caller.workspace_id);
    const { id, url } = await existingEndpoint(tx, caller.workspace_id);
    await deleteStored(tx, caller.workspace_id);
    await audit(tx, caller, { action: 'webhook_endpoint.deleted', object: id, details: { url } });
  });
}
