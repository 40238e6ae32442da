import { listEventIds } from '../../../db/queries/events/sent-event.js';
import { findEndpoint } from '../../../db/queries/events/webhook-endpoint.js';
import { ApiError } from '../../../domain/errors.js';
import { redeliver, redeliverEvents } from '../../../api/resources/events/redeliver.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import type { FormRoute } from '../shared/section.js';
import { eventFilterOf, filterFields, type EventsFilter } from './events.js';

const MAX_EVENTS = 100;
/** A form has to respond in time; an attempt takes up to 15 s more. */
const WITHIN_MS = 10_000;

interface Delivered {
  deliveries: { status_code: number | null; error: string | null }[];
}

/** Delivers an event like `POST /v1/events/{id}/redeliver`. */
export const redeliverForm = apiForm<unknown, Delivered>({
  handler: redeliver,
  notice({ deliveries }) {
    const { status_code, error } = deliveries.at(-1) ?? { status_code: null, error: null };
    if (status_code !== null && status_code >= 200 && status_code < 300)
      return `Event delivered: the endpoint responded with ${status_code}.`;
    return `Delivery failed: ${status_code ? `the endpoint responded with ${status_code}` : error}.`;
  },
  to: (ctx) => `/events/${ctx.params.id}`,
});

/** Delivers the events of a filter again, after a confirmation with their number. */
const redeliverAllForm = apiForm<EventsFilter, { sent: number; of: number }>({
  handler: (deps) => async (ctx) => {
    const ids = await listEventIds(deps.db.manager, {
      ...eventFilterOf(ctx, ctx.state.submitted as EventsFilter),
      limit: MAX_EVENTS,
    });
    const { workspace_id } = ctx.state.membership!;
    ctx.body = { sent: await redeliverEvents(deps, workspace_id, ids, WITHIN_MS), of: ids.length };
  },
  async confirm(form, ctx, { db }) {
    const filter = eventFilterOf(ctx, form);
    if (!(await findEndpoint(db.manager, filter.workspace_id)))
      throw new ApiError('validation_failed', 'There is no webhook endpoint. Register one first.');
    const ids = await listEventIds(db.manager, { ...filter, limit: MAX_EVENTS + 1 });
    const count = Math.min(ids.length, MAX_EVENTS);
    return {
      title: `Redeliver ${count === 1 ? 'one event' : `${count} events`}?`,
      at: '/events',
      effects: (
        <p>
          Each event is sent to your endpoint once, even if it was delivered before. Receivers can recognize
          duplicates by the event ID.{' '}
          {ids.length > MAX_EVENTS && `More events match the filter; these are the oldest ${MAX_EVENTS}.`}
        </p>
      ),
      button: count === 1 ? 'Redeliver event' : `Redeliver ${count} events`,
    };
  },
  notice({ sent, of }) {
    const done = `${sent === 1 ? 'One event has' : `${sent} events have`} been redelivered.`;
    const left = of - sent;
    return left === 0 ? done : `${done} ${left} newer events are left: filter by date to redeliver them.`;
  },
  to: () => '/events',
});

export const redeliverAllRoute: FormRoute = [
  '/redeliver',
  { ...hiddenFields, ...filterFields },
  redeliverAllForm,
];
