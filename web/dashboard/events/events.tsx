import joi from 'joi';
import {
  listSentEvents,
  type SentEvent,
  type SentEventFilter,
} from '../../../db/queries/events/sent-event.js';
import { KNOWN_EVENT_TYPES, type EventType } from '../../../domain/events/types.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { isEventId } from '../../../api/resources/events/shape.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { searchText } from '../../../api/http/fields.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { formatsOf, soonOr, spaced } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { Legend } from '../shared/legend.js';
import {
  choiceOf,
  DAYS,
  Filter,
  listFields,
  PAGE_SIZE,
  Pager,
  rangeOf,
  Table,
  type ListQuery,
} from '../shared/list.js';
import { pathOfObjectId } from '../shared/object-path.js';
import { showSection } from '../shared/workspace.js';

/** The fields of the filter, in the address and in the form that delivers its events again. */
export const filterFields = {
  q: searchText.allow(''),
  type: choiceOf(KNOWN_EVENT_TYPES),
  delivery: choiceOf(['failed']),
  from: listFields.from,
  to: listFields.to,
};

export const eventsQuery = joi.object({
  ...filterFields,
  /** The position before which the page starts. */
  cursor: joi.string().pattern(/^\d{1,15}$/, 'a page of this list'),
});

export interface EventsFilter extends ListQuery {
  q?: string;
  type?: EventType | '';
  delivery?: 'failed' | '';
}

/** The events that a filter selects. */
export function eventFilterOf(
  ctx: ApiContext,
  { q, type, delivery, ...range }: EventsFilter,
): SentEventFilter {
  const { workspace_id, time_zone } = ctx.state.membership!;
  return {
    workspace_id,
    type: type || undefined,
    object_id: q || undefined,
    failed: delivery === 'failed',
    ...rangeOf(range, time_zone),
  };
}

/** The status of an event's delivery as a badge, and why. */
function outcomeOf(event: SentEvent, moment: (at: Date) => string): { status: string; why: string } {
  const { attempt, status_code, error, next_attempt_at, endpoint, subscribed, queued } = event;
  const response = status_code ? `response ${status_code}` : spaced(error ?? 'no response');
  if (status_code !== null && status_code >= 200 && status_code < 300)
    return { status: 'delivered', why: attempt === 1 ? '' : `on attempt ${attempt}` };
  if (next_attempt_at && attempt)
    return {
      status: 'waiting',
      why: `attempt ${attempt}: ${response}; next try ${soonOr(next_attempt_at, moment)}`,
    };
  if (attempt) return { status: 'failed', why: `attempt ${attempt}: ${response}` };
  if (!endpoint) return { status: 'not sent', why: 'no endpoint' };
  if (!subscribed) return { status: 'not sent', why: 'not subscribed' };
  if (endpoint === 'disabled') return { status: 'not sent', why: 'endpoint disabled' };
  if (queued || next_attempt_at) return { status: 'waiting', why: 'queued' };
  return { status: 'not sent', why: 'before the endpoint was registered' };
}

/** The outcome of an event's delivery. */
export function Delivery({ ctx, of }: { ctx: ApiContext; of: SentEvent }) {
  const { moment } = formatsOf(ctx);
  const { status, why } = outcomeOf(of, moment);
  return (
    <>
      <Status value={status.replace(' ', '_')} /> <small>{why || moment(of.created_at)}</small>
    </>
  );
}

/** The object of an event, with a link to its page if it has one. */
export function ObjectLink({ ctx, id }: { ctx: ApiContext; id: string }) {
  const path = pathOfObjectId(id);
  if (!path) return <Id of={id} />;
  return (
    <a href={pathIn(ctx, path)}>
      <Id of={id} />
    </a>
  );
}

/** Events with the outcome of their delivery. */
export function EventTable({ ctx, events }: { ctx: ApiContext; events: SentEvent[] }) {
  const { moment } = formatsOf(ctx);
  return (
    <Table
      rows={events}
      empty="No events."
      columns={[
        { name: 'Event', show: ({ id, type }) => <a href={pathIn(ctx, `/events/${id}`)}>{type}</a> },
        {
          name: 'Delivery',
          show: (event) => <Delivery ctx={ctx} of={event} />,
        },
        { name: 'When', show: ({ created_at }) => <span class="soft">{moment(created_at)}</span> },
        { name: 'Object', show: ({ object_id }) => <ObjectLink ctx={ctx} id={object_id} /> },
      ]}
    />
  );
}

/** `GET /dashboard/:workspace/events`: events by object, type and date, newest first. */
export function showEvents({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { cursor, ...filter } = ctx.state.query as EventsFilter;
    const { q, type, delivery, from, to } = filter;
    if (q && isEventId(q)) return ctx.redirect(pathIn(ctx, `/events/${q}`));
    const found = await listSentEvents(db.manager, {
      ...eventFilterOf(ctx, filter),
      before: cursor === undefined ? undefined : Number(cursor),
      limit: PAGE_SIZE + 1,
    });
    const rows = found.slice(0, PAGE_SIZE);
    const next = found.length > PAGE_SIZE ? String(rows.at(-1)!.position) : undefined;
    showSection(ctx, {
      title: 'Events',
      at: '/events',
      children: (
        <>
          <Filter
            ctx={ctx}
            fields={[
              { name: 'q', label: 'Event or object ID' },
              { name: 'type', label: 'Type', options: KNOWN_EVENT_TYPES.map((each) => [each, each]) },
              { name: 'delivery', label: 'Delivery', options: [['failed', 'Failed at least once']] },
              ...DAYS,
            ]}
          />
          <EventTable ctx={ctx} events={rows} />
          <Pager ctx={ctx} next={next} />
          <Legend of="delivery" />
          {rows.length > 0 && (
            <div class="card">
              <Action
                ctx={ctx}
                action={pathIn(ctx, '/events/redeliver')}
                summary="Redeliver these events"
                button="Continue"
              >
                <p class="hint">
                  Redelivers all events that match the filter above, oldest first, including those on other
                  pages.
                </p>
                {Object.entries({ q, type, delivery, from, to }).map(
                  ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
                )}
              </Action>
            </div>
          )}
        </>
      ),
    });
  };
}
