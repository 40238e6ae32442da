import { lockEvents } from '../../../../commands/events/positions.js';
import { insertEvent } from '../../../../commands/events/events.js';
import { transaction } from '../../../../db/transaction.js';
import { TEST_EVENT_TYPE } from '../../../../domain/events/types.js';
import type { Principal } from '../../../../domain/policies.js';
import { presentWebhookEndpoint } from '../../../../domain/events/webhook-endpoint-presenter.js';
import type { ApiDependencies } from '../../../dependencies.js';
import { redeliverEvent } from '../redeliver.js';
import type { Handler } from '../../../http/context.js';
import { existingEndpoint } from './read.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/** `POST /v1/webhook-endpoint/test` */
export function test(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = await sendTestEvent(deps, ctx.state.principal);
  };
}

/**
 * Sends a `webhook.test` event once, immediately, and returns it with its delivery, whatever the result.
 * Errors: 404 `not_found`; 503.
 */
export async function sendTestEvent(deps: Deps, { workspace_id }: Principal) {
  const eventId = await transaction(deps.db, async (tx) => {
    await lockEvents(tx, workspace_id);
    const object = presentWebhookEndpoint(await existingEndpoint(tx, workspace_id));
    return insertEvent(tx, { type: TEST_EVENT_TYPE, workspace_id, object, created_at: new Date() });
  });
  return redeliverEvent(deps, workspace_id, eventId);
}
