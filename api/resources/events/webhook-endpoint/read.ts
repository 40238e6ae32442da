import type { WebhookEndpoint } from '../../../../db/entities/events.js';
import { findEndpoint } from '../../../../db/queries/events/webhook-endpoint.js';
import type { Tx } from '../../../../db/transaction.js';
import { ApiError } from '../../../../domain/errors.js';
import { presentWebhookEndpoint } from '../../../../domain/events/webhook-endpoint-presenter.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { Handler } from '../../../http/context.js';

/** The workspace's endpoint. Errors: 404 `not_found`. */
export async function existingEndpoint(tx: Tx, workspaceId: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(tx, workspaceId);
  if (!endpoint)
    throw new ApiError(
      'not_found',
      'This workspace has no webhook endpoint. Register one with PUT /v1/webhook-endpoint.',
    );
  return endpoint;
}

/** `GET /v1/webhook-endpoint` */
export function get({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const endpoint = await existingEndpoint(db.manager, ctx.state.principal.workspace_id);
    ctx.body = presentWebhookEndpoint(endpoint);
  };
}
