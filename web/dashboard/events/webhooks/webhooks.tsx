import { findEndpoint } from '../../../../db/queries/events/webhook-endpoint.js';
import { listSentEvents } from '../../../../db/queries/events/sent-event.js';
import {
  ALL_EVENTS,
  EVENT_TYPES,
  OPT_IN_EVENT_TYPES,
  TEST_EVENT_TYPE,
} from '../../../../domain/events/types.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { Handler } from '../../../../api/http/context.js';
import { Delivery, EventTable } from '../events.js';
import { pathIn } from '../../shared/api-form.js';
import { DISABLED_REASONS } from '../../shared/causes.js';
import { Select, TextField } from '../../shared/fields.js';
import { Confirm, Form } from '../../shared/form.js';
import { formatsOf } from '../../../ui/formats.js';
import { Status } from '../../shared/layout.js';
import { EVERY_EVENT, pathOf } from './webhook-actions.js';
import { showSection } from '../../shared/workspace.js';
import { inputOf } from '../../shared/declared-fields.js';
import { putSchema } from '../../../../api/resources/events/webhook-endpoint/shape.js';

const EVENTS_SHOWN = 10;

/** `GET /dashboard/:workspace/webhooks`: the webhook endpoint and its latest events. */
export function showWebhooks({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const endpoint = await findEndpoint(db.manager, workspace_id);
    const events = await listSentEvents(db.manager, { workspace_id, limit: EVENTS_SHOWN });
    const [lastTest] = await listSentEvents(db.manager, { workspace_id, type: TEST_EVENT_TYPE, limit: 1 });
    const chosen = endpoint?.event_types ?? [ALL_EVENTS];
    showSection(ctx, {
      title: 'Webhooks',
      at: '/webhooks',
      children: (
        <>
          {endpoint && (
            <div class="card">
              <Status value={endpoint.status} /> since {formatsOf(ctx).moment(endpoint.created_at)}
              {endpoint.disabled_reason && <p class="alert">{DISABLED_REASONS[endpoint.disabled_reason]}</p>}
              <Form class="actions" ctx={ctx} action={`${pathOf(ctx)}/test`}>
                <button class="quiet">Send test event</button>
                {lastTest && (
                  <span id="test-result">
                    <Delivery ctx={ctx} of={lastTest} />
                  </span>
                )}
              </Form>
              <Confirm
                ctx={ctx}
                summary="Replace signing secret"
                action={`${pathOf(ctx)}/rotate-secret`}
                button="Replace secret"
                once
              >
                Events are signed with the new secret immediately. For one day, webhook-signature also
                contains a signature with the current secret.
              </Confirm>
              <Confirm
                ctx={ctx}
                summary="Remove"
                action={`${pathOf(ctx)}/remove`}
                button="Remove endpoint"
                rare
              >
                No more events are sent, and the secret is deleted.
              </Confirm>
            </div>
          )}
          <h2>{endpoint ? 'Edit endpoint' : 'Register an endpoint'}</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)}>
            <TextField {...inputOf(putSchema, 'url')} label="URL" type="url" value={endpoint?.url} />
            <Select
              name="event_types"
              label="Events"
              size={8}
              options={[
                [EVERY_EVENT, 'all events, also of invoices and payments'],
                [ALL_EVENTS, 'all booking and member events'],
                ...[...EVENT_TYPES, ...OPT_IN_EVENT_TYPES].map((type) => [type, type] as const),
              ]}
              chosen={
                [ALL_EVENTS, ...OPT_IN_EVENT_TYPES].every((type) => chosen.includes(type))
                  ? [EVERY_EVENT]
                  : chosen
              }
            />
            <button>{endpoint ? 'Save and enable' : 'Register'}</button>
          </Form>
          <h2>Latest events</h2>
          <EventTable ctx={ctx} events={events} />
          <p>
            <a href={pathIn(ctx, '/events')}>All events</a>
          </p>
        </>
      ),
    });
  };
}
