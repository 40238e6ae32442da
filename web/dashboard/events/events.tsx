import joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { searchText } from '../../../api/http/fields.js';
import { typed } from '../../../api/http/typed.js';
import { eventIn, redeliverEvent } from '../../../api/resources/events/operations.js';
import { redeliverAll } from '../../../api/resources/events/redeliver.js';
import { isId } from '../../../db/ids.js';
import { listDeliveries } from '../../../db/queries/events/event.js';
import {
  listOldestEvents,
  listSentEvents,
  type SentEvent,
  type SentEventFilter,
} from '../../../db/queries/events/sent-event.js';
import { findEndpoint } from '../../../db/queries/events/webhook-endpoint.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../../domain/errors.js';
import type { DeliveryFacts } from '../../../domain/events/event-presenter.js';
import { KNOWN_EVENT_TYPES, type EventType } from '../../../domain/events/types.js';
import { createFormats, formatNextAttempt, spaced } from '../../ui/formats.js';
import { action, form } from '../forms/form.js';
import type { Input } from '../forms/inputs.js';
import { Elsewhere, page, type PageProps } from '../forms/page.js';
import { Details, FactCard } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/status.js';
import { Legend } from '../shared/legend.js';
import {
  choiceFilter,
  DAYS,
  Empty,
  Filter,
  listFields,
  PAGE_SIZE,
  Pager,
  readRange,
  Table,
  type ListQuery,
} from '../shared/list.js';
import { pathOfObjectId } from '../shared/object-path.js';

/** The fields of the filter, in the address and in the form that delivers its events again. */
const filterFields = {
  q: searchText.allow(''),
  type: choiceFilter(KNOWN_EVENT_TYPES),
  delivery: choiceFilter(['failed']),
  from: listFields.from,
  to: listFields.to,
};

interface EventsFilter extends ListQuery {
  q?: string;
  type?: EventType | '';
  delivery?: 'failed' | '';
}

function toEventFilter(
  { workspace_id, time_zone }: { workspace_id: string; time_zone: string },
  { q, type, delivery, ...range }: EventsFilter,
): SentEventFilter {
  return {
    workspace_id,
    type: type || undefined,
    object_id: q || undefined,
    failed: delivery === 'failed',
    ...readRange(range, time_zone),
  };
}

/** The status of an event's delivery as a badge, and why. */
function describeDeliveryStatus(
  event: SentEvent,
  moment: (at: Date) => string,
): { status: string; why: string } {
  const { attempt, status_code, error, next_attempt_at, endpoint, subscribed, queued } = event;
  const response = status_code ? `response ${status_code}` : spaced(error ?? 'no response');
  if (status_code !== null && status_code >= 200 && status_code < 300)
    return { status: 'delivered', why: attempt === 1 ? '' : `on attempt ${attempt}` };
  if (next_attempt_at && attempt)
    return {
      status: 'waiting',
      why: `attempt ${attempt}: ${response}; next try ${formatNextAttempt(next_attempt_at, moment)}`,
    };
  if (attempt) return { status: 'failed', why: `attempt ${attempt}: ${response}` };
  if (!endpoint) return { status: 'not sent', why: 'no endpoint' };
  if (!subscribed) return { status: 'not sent', why: 'not subscribed' };
  if (endpoint === 'disabled') return { status: 'not sent', why: 'endpoint disabled' };
  if (queued || next_attempt_at) return { status: 'waiting', why: 'queued' };
  return { status: 'not sent', why: 'before the endpoint was registered' };
}

export function Delivery({ ctx, of }: { ctx: ApiContext; of: SentEvent }) {
  const { moment } = createFormats(ctx);
  const { status, why } = describeDeliveryStatus(of, moment);
  return (
    <>
      <Status value={status.replace(' ', '_')} /> <small>{why || moment(of.created_at)}</small>
    </>
  );
}

/** The object of an event, with a link to its page if it has one. */
function ObjectLink({ ctx, id }: { ctx: ApiContext; id: string }) {
  const path = pathOfObjectId(id);
  if (!path) return <Id of={id} />;
  return (
    <a href={pathIn(ctx, path)}>
      <Id of={id} />
    </a>
  );
}

export function EventTable(props: { ctx: ApiContext; events: SentEvent[]; empty?: ComponentChildren }) {
  const { ctx, events, empty = 'No events.' } = props;
  const { moment } = createFormats(ctx);
  return (
    <Table
      rows={events}
      empty={empty}
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

interface ListPage {
  filter: EventsFilter;
  rows: SentEvent[];
  next: string | undefined;
}

/** The most events that one form redelivers. */
const MAX_EVENTS = 100;
/**
 * The form has to respond within the request's time limit, and one delivery attempt can take another 15 s.
 */
const WITHIN_MS = 10_000;

/** The filter of the list, which the form repeats. */
const filterInput: Input<ListPage> = {
  fields: () => filterFields,
  read: (_, { q, type, delivery, from, to }) => ({ q, type, delivery, from, to }),
  Show: ({ shown: { data } }) => (
    <>
      <p class="hint">All events that match the filter, oldest first, also those on other pages.</p>
      {Object.entries(data.filter).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  ),
  wide: () => true,
  called: () => ({}),
};

/** Delivers the events of a filter again, after a confirmation with their number. */
const redeliverThese = form(
  action({
    capability: 'manage_webhooks',
    body: typed<EventsFilter, joi.ObjectSchema>(joi.object(filterFields)),
    async run({ body }, { workspace_id }, deps) {
      const { time_zone } = (await findWorkspace(deps.db.manager, workspace_id))!;
      const filter = toEventFilter({ workspace_id, time_zone }, body);
      const these = await listOldestEvents(deps.db.manager, { ...filter, limit: MAX_EVENTS });
      return { sent: await redeliverAll(deps, workspace_id, these, WITHIN_MS), of: these.length };
    },
  }),
  { filter: filterInput },
  {
    path: '/redeliver',
    summary: 'Redeliver',
    button: 'Continue',
    async confirm({ body, ctx }, { db }) {
      const filter = toEventFilter(ctx.state.membership!, body);
      if (!(await findEndpoint(db.manager, filter.workspace_id)))
        throw new ApiError('validation_failed', 'There is no webhook endpoint. Register one first.');
      const { length } = await listOldestEvents(db.manager, { ...filter, limit: MAX_EVENTS + 1 });
      const count = Math.min(length, MAX_EVENTS);
      return {
        title: `Redeliver ${count === 1 ? 'one event' : `${count} events`}?`,
        at: '/events',
        effects: (
          <p>
            Each is sent to your endpoint once, even if it was delivered before.{' '}
            {length > MAX_EVENTS && `More events match the filter; these are the oldest ${MAX_EVENTS}.`}
          </p>
        ),
        button: count === 1 ? 'Redeliver event' : `Redeliver ${count} events`,
      };
    },
    notice({ sent, of }) {
      const done = `${sent === 1 ? 'One event has' : `${sent} events have`} been redelivered.`;
      const left = of - sent;
      return left === 0 ? done : `${done} ${left} events remain. Filter by date or type to redeliver them.`;
    },
  },
);

function Events(props: PageProps<ListPage>) {
  const { ctx, data } = props;
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'q', label: 'ID' },
          { name: 'type', label: 'Type', options: KNOWN_EVENT_TYPES.map((each) => [each, each]) },
          { name: 'delivery', label: 'Delivery', options: [['failed', 'Failed at least once']] },
          ...DAYS,
        ]}
      />
      <EventTable
        ctx={ctx}
        events={data.rows}
        empty={<Empty ctx={ctx} says="Events appear here as they happen, such as booking.confirmed." />}
      />
      <Pager ctx={ctx} next={data.next} />
      <Legend of="delivery" />
    </>
  );
}

interface OnePage {
  event: Awaited<ReturnType<typeof eventIn>>;
  deliveries: DeliveryFacts[];
  hasEndpoint: boolean;
}

/** Delivers an event like `POST /v1/events/{id}/redeliver`. */
const redeliver = form(
  redeliverEvent,
  {},
  {
    path: '/redeliver',
    button: 'Redeliver',
    notice({ deliveries = [] }) {
      const { status_code, error } = deliveries.at(-1) ?? { status_code: null, error: null };
      if (status_code !== null && status_code >= 200 && status_code < 300)
        return `Event delivered: the endpoint responded with ${status_code}.`;
      return `Delivery failed: ${status_code ? `the endpoint responded with ${status_code}` : error}.`;
    },
  },
);

function OneEvent(props: PageProps<OnePage>) {
  const { ctx, data } = props;
  const { event, deliveries, hasEndpoint } = data;
  const object = event.data.object as { id?: string } | null;
  const { moment } = createFormats(ctx);
  return (
    <>
      <div class="narrow">
        <FactCard
          of={[
            ['When', moment(new Date(event.created_at))],
            object?.id && ['Object', <ObjectLink ctx={ctx} id={object.id} />],
          ]}
        />
      </div>
      <h2>Deliveries</h2>
      <Table
        rows={deliveries.map((delivery) => ({ ...delivery, id: String(delivery.attempt) }))}
        empty="No attempts."
        columns={[
          { name: 'Attempt', show: ({ attempt, at }) => `${attempt}: ${moment(at)}` },
          {
            name: 'Response',
            show: ({ status_code, error }) => {
              const delivered = status_code !== null && status_code >= 200 && status_code < 300;
              return (
                <>
                  <Status value={delivered ? 'delivered' : 'failed'} /> {status_code ?? error}
                </>
              );
            },
          },
          { name: 'Duration', show: ({ duration_ms }) => <span class="soft">{duration_ms} ms</span> },
          {
            name: 'Response body',
            show: ({ response_excerpt }) => response_excerpt && <code>{response_excerpt}</code>,
          },
        ]}
      />
      {!hasEndpoint && (
        <p class="links">
          <a href={pathIn(ctx, '/webhooks')}>Register endpoint</a>
        </p>
      )}
      <h2>Payload</h2>
      <pre class="card">{JSON.stringify(event, null, 2)}</pre>
      <Details
        of={[
          ['ID', <Id of={event.id} />],
          ['Sequence', `${event.sequence} for this object`],
        ]}
      />
    </>
  );
}

/** Events by object, type and date, newest first. */
export const events = [
  page<ListPage>({
    path: '/events',
    capability: 'manage_webhooks',
    query: joi.object({
      ...filterFields,
      /** The position before which the page starts. */
      cursor: joi.string().pattern(/^\d{1,15}$/, 'a page of this list'),
    }),
    title: 'Events',
    primary: (page) => page.data.rows.length > 0 && <redeliverThese.Drawer page={page} quiet />,
    async load({ query, membership }, { db }): Promise<ListPage> {
      const { cursor, ...filter } = query as EventsFilter;
      if (filter.q && isId('evt', filter.q)) throw new Elsewhere(`/events/${filter.q}`);
      const found = await listSentEvents(db.manager, {
        ...toEventFilter(membership, filter),
        before: cursor === undefined ? undefined : Number(cursor),
        limit: PAGE_SIZE + 1,
      });
      const rows = found.slice(0, PAGE_SIZE);
      const next = found.length > PAGE_SIZE ? String(rows.at(-1)!.position) : undefined;
      return { filter, rows, next };
    },
    view: Events,
    forms: [redeliverThese],
  }),
  page<OnePage>({
    path: '/events/:id',
    capability: 'manage_webhooks',
    title: ({ event }) => event.type,
    primary: ({ ctx, at, data: { hasEndpoint } }) =>
      hasEndpoint && (
        <Form ctx={ctx} action={pathIn(ctx, `${at}/redeliver`)}>
          <button>Redeliver</button>
        </Form>
      ),
    async load({ caller, params }, deps): Promise<OnePage> {
      const { manager } = deps.db;
      const event = await eventIn(deps, caller, params.id!);
      const deliveries = await listDeliveries(manager, event.workspace_id, event.id);
      return { event, deliveries, hasEndpoint: (await findEndpoint(manager, event.workspace_id)) !== null };
    },
    view: OneEvent,
    forms: [redeliver],
  }),
];
