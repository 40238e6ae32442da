import joi from 'joi';
import { findEndpoint } from '../../db/repositories/events/webhook-endpoint-queries.js';
import { listSentEvents, type SentEvent } from '../../db/repositories/workspaces/dashboard-queries.js';
import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../domain/events.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text } from '../http/validate.js';
import { putEndpoint, removeEndpoint, rotateSecret, sendTestEvent } from '../webhook-endpoint/change.js';
import { Select, TextField } from './fields.js';
import { AlreadyDone, Confirm, Form, onceOf } from './form.js';
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

/** Settings → Webhooks (spec.md, "Webhook endpoint"): the endpoint, and what was sent to it last. */
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
                offer="New secret"
                action={`${pathOf(ctx)}/rotate-secret`}
                button="Make it"
                once
              >
                The new secret signs at once; the old one signs along for a day.
              </Confirm>
              <Confirm ctx={ctx} offer="Remove" action={`${pathOf(ctx)}/remove`} button="Remove it">
                Nothing is sent any more, and its secret is gone.
              </Confirm>
            </div>
          )}
          <h2>{endpoint ? 'Change it' : 'Register an endpoint'}</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)}>
            <TextField
              name="url"
              label="Address"
              type="url"
              required
              value={endpoint?.url}
              maxLength={2000}
            />
            <Select
              name="event_types"
              label="Events"
              size={8}
              options={[
                [ALL_EVENTS, 'all of bookings and members'],
                ...[...EVENT_TYPES, ...OPT_IN_EVENT_TYPES].map((type) => [type, type] as const),
              ]}
              chosen={chosen}
            />
            <button>{endpoint ? 'Keep, and enable it' : 'Register it'}</button>
          </Form>
          <h2>Newest events</h2>
          <Events ctx={ctx} events={events} />
        </>
      ),
    });
  };
}

/** Shows a secret this once; a repeat is told that it was shown. */
function showSecret(ctx: ApiContext, title: string, secret: string | null): void {
  showSection(ctx, {
    title,
    at: '/webhooks',
    children: (
      <div class="card">
        {secret ? (
          <>
            <p>Your receiver checks signatures with this secret. It is not shown again.</p>
            <p>
              <code id="secret">{secret}</code>
            </p>
          </>
        ) : (
          <AlreadyDone secret="secret">make another new one</AlreadyDone>
        )}
        <a href={pathOf(ctx)}>{secret ? 'I have kept it' : 'To the webhooks'}</a>
      </div>
    ),
  });
}

/** Registers or changes the endpoint, as `PUT /v1/webhook-endpoint` does. */
export function putFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const body = ctx.state.body as { url: string; event_types: string[] };
    const { endpoint } = await putEndpoint(deps, ctx.state.principal, body);
    if ('secret' in endpoint && endpoint.secret)
      showSecret(ctx, 'The endpoint is registered', endpoint.secret);
    else ctx.redirect(pathOf(ctx));
  };
}

/** Gives the endpoint a new secret; the old one signs along for a day. */
export function renewSecretFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { secret } = await rotateSecret(deps, ctx.state.principal, OVERLAP_HOURS, onceOf(ctx));
    showSecret(ctx, secret ? 'The new secret signs from now on' : 'The secret was renewed already', secret);
  };
}

/** Sends a test event, and shows how it went among the events. */
export function testFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await sendTestEvent(deps, ctx.state.principal);
    ctx.redirect(pathOf(ctx));
  };
}

/** Removes the endpoint. */
export function removeFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await removeEndpoint(deps, ctx.state.principal);
    ctx.redirect(pathOf(ctx));
  };
}
