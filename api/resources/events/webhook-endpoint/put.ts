import { assignAllPositions, lockEvents } from '../../../../commands/events/positions.js';
import { insertEndpoint, updateEndpoint } from '../../../../commands/events/webhook-endpoints.js';
import { findEndpoint } from '../../../../db/queries/events/webhook-endpoint.js';
import { enqueueMail } from '../../../../commands/mail/mails.js';
import { newId } from '../../../../db/ids.js';
import { audit } from '../../../../commands/audit-log/audit.js';
import { transaction } from '../../../../db/transaction.js';
import type { Principal } from '../../../../domain/policies.js';
import { presentWebhookEndpoint } from '../../../../domain/events/webhook-endpoint-presenter.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { Handler } from '../../../http/context.js';
import { existingEndpoint } from './read.js';
import { checkReceiver } from './receiver.js';
import type { PutBody } from './shape.js';
import { encryptSecret, newSigningSecret } from './secrets.js';

type Deps = Pick<ApiDependencies, 'db' | 'encryption' | 'allowPrivateWebhooks' | 'resolveHost'>;

/** `PUT /v1/webhook-endpoint` */
export function put(deps: Deps): Handler<PutBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { created, endpoint } = await putEndpoint(deps, principal, body);
    ctx.status = created ? 201 : 200;
    ctx.body = endpoint;
  };
}

/**
 * Registers the endpoint, or changes and enables it (docs/rules/events.md#endpoint). `secret` is returned
 * when the endpoint is created. Errors: 422 for a URL that is not allowed.
 */
export async function putEndpoint(deps: Deps, caller: Principal, body: PutBody) {
  const { workspace_id } = caller;
  const { event_types } = body;
  const url = await checkReceiver(deps, body.url);
  const secret = newSigningSecret();
  return transaction(deps.db, async (tx) => {
    await lockEvents(tx, workspace_id);
    const before = await findEndpoint(tx, workspace_id);
    const created = before === null;
    const wanted = { workspace_id, url, event_types, after: await assignAllPositions(tx, workspace_id) };
    if (created) await insertEndpoint(tx, { ...wanted, secret: encryptSecret(deps, secret, workspace_id) });
    else await updateEndpoint(tx, wanted);
    const endpoint = await existingEndpoint(tx, workspace_id);
    const action = created ? 'webhook_endpoint.created' : 'webhook_endpoint.updated';
    await audit(tx, caller, { action, object: endpoint.id, details: { url, event_types } });
    if (before?.url !== url)
      await enqueueMail(tx, { kind: 'webhook_url_changed', workspace_id, about: newId('mail') });
    return { created, endpoint: { ...presentWebhookEndpoint(endpoint), ...(created && { secret }) } };
  });
}
