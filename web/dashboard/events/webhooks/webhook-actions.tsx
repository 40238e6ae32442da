import { Secret } from '../../../ui/copy.js';
import joi from 'joi';
import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../../../domain/events/types.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../../api/http/context.js';
import { deleteEndpoint } from '../../../../api/resources/events/webhook-endpoint/delete.js';
import { putEndpoint } from '../../../../api/resources/events/webhook-endpoint/put.js';
import { rotateSecret } from '../../../../api/resources/events/webhook-endpoint/rotate-secret.js';
import { sendTestEvent } from '../../../../api/resources/events/webhook-endpoint/test-event.js';
import { AlreadySubmitted, formIdempotencyKey } from '../../shared/form.js';
import { redirectWithNotice } from '../../shared/notice.js';
import { showSection } from '../../shared/workspace.js';
import { textFields } from '../../shared/declared-fields.js';
import { putSchema } from '../../../../api/resources/events/webhook-endpoint/shape.js';
import { validate } from '../../../../api/http/validate.js';

const OVERLAP_HOURS = 24;

/** The form's choice of all events: those that `*` selects, and those that are subscribed to by name. */
export const EVERY_EVENT = 'every';

export const endpointFields = {
  ...textFields(putSchema, 'url'),
  event_types: joi
    .array()
    .items(joi.string().valid(EVERY_EVENT, ALL_EVENTS, ...EVENT_TYPES, ...OPT_IN_EVENT_TYPES))
    .single()
    .unique()
    .min(1)
    .required()
    .messages({ 'any.required': 'Choose at least one event' }),
};

/** The path of the page of the webhook endpoint. */
export const pathOf = (ctx: ApiContext): string =>
  `/dashboard/${ctx.state.membership!.workspace_id}/webhooks`;

/** Shows a secret once; for a repeat, explains that it cannot be shown again. */
function showSecret(ctx: ApiContext, title: string, secret: string | null): void {
  showSection(ctx, {
    title,
    at: '/webhooks',
    children: (
      <div class="card">
        {secret ? (
          <>
            <p>Copy this secret now and verify signatures with it. It will not be shown again.</p>
            <Secret id="secret">{secret}</Secret>
          </>
        ) : (
          <AlreadySubmitted secret="secret">replace it again</AlreadySubmitted>
        )}
        <a href={pathOf(ctx)}>{secret ? 'I’ve saved it' : 'Back to webhooks'}</a>
      </div>
    ),
  });
}

/** Registers or changes the endpoint like `PUT /v1/webhook-endpoint`. */
export function putFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { url, event_types: chosen } = ctx.state.body as { url: string; event_types: string[] };
    const event_types = chosen.includes(EVERY_EVENT) ? [ALL_EVENTS, ...OPT_IN_EVENT_TYPES] : chosen;
    const body = validate(putSchema, { url, event_types }, false);
    const { endpoint } = await putEndpoint(deps, ctx.state.principal, body);
    if ('secret' in endpoint && endpoint.secret)
      showSecret(ctx, 'The endpoint is registered', endpoint.secret);
    else redirectWithNotice(ctx, pathOf(ctx), 'Endpoint saved and enabled.');
  };
}

/** Rotates the secret; the previous one stays valid for a day. */
export function rotateSecretFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { secret } = await rotateSecret(deps, principal, OVERLAP_HOURS, formIdempotencyKey(ctx));
    showSecret(ctx, secret ? 'The secret has been replaced' : 'The secret was already replaced', secret);
  };
}

/** Sends a test event, whose result is among the latest events. */
export function testFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await sendTestEvent(deps, ctx.state.principal);
    redirectWithNotice(ctx, pathOf(ctx), 'Test event sent. The result is beside the button.');
  };
}

/** Deletes the endpoint. */
export function deleteFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await deleteEndpoint(deps, ctx.state.principal);
    redirectWithNotice(ctx, pathOf(ctx), 'Endpoint removed. No more events are sent.');
  };
}
