import joi from 'joi';
import { listSentEvents, type SentEvent } from '../../db/repositories/workspaces/dashboard-queries.js';
import { findEndpoint } from '../../db/repositories/events/webhook-endpoints.js';
import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../domain/events.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text } from '../http/fields.js';
import { deleteEndpoint } from '../webhook-endpoint/delete.js';
import { putEndpoint } from '../webhook-endpoint/put.js';
import { rotateSecret } from '../webhook-endpoint/rotate-secret.js';
import { sendTestEvent } from '../webhook-endpoint/test-event.js';
import { Select, TextField } from './fields.js';
import { AlreadySubmitted, Confirm, Form, formIdempotencyKey } from './form.js';
import { formatAt, Status } from './layout.js';
import { showSection } from './workspace.js';

const EVENTS_SHOWN = 20;
const OVERLAP_HOURS = 24;

export const endpointFields = {
  url: text(2_000).trim().required(),
  event_types: joi
    .array()
    .items(joi.string().valid(ALL_EVENTS, ...EVENT_TYPES, ...OPT_IN_EVENT_TYPES))
    .single()
    .unique()
    .default([]),
};

const pathOf = (ctx: ApiContext): string => `/dashboard/${ctx.state.membership!.workspace_id}/webhooks`;

function Events({ ctx, events }: { ctx: ApiContext; events: SentEvent[] }) {
  if (events.length === 0) return <p class="soft">No events yet.</p>;
  return (
    <div class="scroll">
      <table>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td class="soft">{formatAt(event.created_at, ctx.state.membership!.time_zone)}</td>
              <td>{event.type}</td>
              <td>
                <code>{event.id}</code>
              </td>
              <td>
                {event.attempt ? `attempt ${event.attempt}: ${event.status_code ?? event.error}` : 'not sent'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `GET /dashboard/:workspace/webhooks`: the webhook endpoint and its latest events. */
export function showWebhooks({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone } = ctx.state.membership!;
    const endpoint = await findEndpoint(db.manager, workspace_id);
    const events = await listSentEvents(db.manager, workspace_id, EVENTS_SHOWN);
    const chosen = endpoint?.event_types ?? [ALL_EVENTS];
    showSection(ctx, {
      title: 'Webhooks',
      at: '/webhooks',
      children: (
        <>
          {endpoint && (
            <div class="card">
              <Status value={endpoint.status} /> since {formatAt(endpoint.created_at, time_zone)}
              {endpoint.disabled_reason && (
                <p class="alert">{endpoint.disabled_reason.replaceAll('_', ' ')}</p>
              )}
              <Form class="actions" ctx={ctx} action={`${pathOf(ctx)}/test`}>
                <button class="quiet">Send a test event</button>
              </Form>
              <Confirm
                ctx={ctx}
                summary="Rotate secret"
                action={`${pathOf(ctx)}/rotate-secret`}
                button="Create a new secret"
                once
              >
                Events are signed with the new secret at once, and with both secrets for one day.
              </Confirm>
              <Confirm ctx={ctx} summary="Remove" action={`${pathOf(ctx)}/remove`} button="Remove">
                No more events are sent, and the secret is deleted.
              </Confirm>
            </div>
          )}
          <h2>{endpoint ? 'Change the endpoint' : 'Register an endpoint'}</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)}>
            <TextField name="url" label="URL" type="url" required value={endpoint?.url} maxLength={2000} />
            <Select
              name="event_types"
              label="Events"
              size={8}
              options={[
                [ALL_EVENTS, 'all events of bookings and members'],
                ...[...EVENT_TYPES, ...OPT_IN_EVENT_TYPES].map((type) => [type, type] as const),
              ]}
              chosen={chosen}
            />
            <button>{endpoint ? 'Save and enable' : 'Register'}</button>
          </Form>
          <h2>Latest events</h2>
          <Events ctx={ctx} events={events} />
        </>
      ),
    });
  };
}

/** Shows a secret once; for a repeat, explains that it cannot be shown again. */
function showSecret(ctx: ApiContext, title: string, secret: string | null): void {
  showSection(ctx, {
    title,
    at: '/webhooks',
    children: (
      <div class="card">
        {secret ? (
          <>
            <p>Verify signatures with this secret. It will not be shown again.</p>
            <p>
              <code id="secret">{secret}</code>
            </p>
          </>
        ) : (
          <AlreadySubmitted secret="secret">rotate it again</AlreadySubmitted>
        )}
        <a href={pathOf(ctx)}>{secret ? 'I have saved it' : 'Go to the webhooks'}</a>
      </div>
    ),
  });
}

/** Registers or changes the endpoint like `PUT /v1/webhook-endpoint`. */
export function putFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const body = ctx.state.body as { url: string; event_types: string[] };
    const { endpoint } = await putEndpoint(deps, ctx.state.principal, body);
    if ('secret' in endpoint && endpoint.secret)
      showSecret(ctx, 'The endpoint is registered', endpoint.secret);
    else ctx.redirect(pathOf(ctx));
  };
}

/** Rotates the secret; the previous one stays valid for a day. */
export function rotateSecretFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { secret } = await rotateSecret(deps, principal, OVERLAP_HOURS, formIdempotencyKey(ctx));
    showSecret(ctx, secret ? 'The secret has been rotated' : 'The secret was already rotated', secret);
  };
}

/** Sends a test event, whose result is among the latest events. */
export function testFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await sendTestEvent(deps, ctx.state.principal);
    ctx.redirect(pathOf(ctx));
  };
}

/** Deletes the endpoint. */
export function deleteFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await deleteEndpoint(deps, ctx.state.principal);
    ctx.redirect(pathOf(ctx));
  };
}
