import type joi from 'joi';
import { assignNewPositions } from '../../../commands/events/positions.js';
import { existingEndpoint } from '../../../commands/events/webhook-endpoints.js';
import { isId } from '../../../db/ids.js';
import { findEvent, listDeliveries, listEvents as find } from '../../../db/queries/events/event.js';
import { presentEvent } from '../../../domain/events/event-presenter.js';
import { API_VERSION, KNOWN_EVENT_TYPES, type EventType } from '../../../domain/events/types.js';
import type { ApiDependencies } from '../../dependencies.js';
import { MAX_IN_PROGRESS } from '../../http/concurrency.js';
import { invalidCursor, pageFields } from '../../http/cursor.js';
import { emptyBody, rangeEnd, timestamp } from '../../http/fields.js';
import { readMeta } from '../../http/meta.js';
import { operation } from '../../http/operation.js';
import { array, integer, nullable, object, oneOf, optional, typed, type Typed } from '../../http/typed.js';
import { EXAMPLE_MEMBER_ID } from '../members/operations.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant, examplePage } from '../shared/examples.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { noSuchEvent, redeliverOnce } from './redeliver.js';

/** Any event. The document builds the schema from the events of all resources. */
export const event = s.component('Event');

/** The name of the schema of an event's `data`: `BookingEventData`. Null where there are several objects. */
function nameOfData(object: joi.Schema): string | null {
  const { component } = readMeta(object);
  return component ? `${component.replace(/InEvents$/, '')}EventData` : null;
}

/** An event with the schema of its type and that of its object (docs/rules/events.md#body). */
export const eventSchema = (type: Typed<string>, object: joi.Schema): joi.ObjectSchema =>
  s.shape({
    id: s.prefixedId('evt'),
    type: type.description('The type of the event.'),
    api_version: oneOf([API_VERSION]).description('The API version of the objects in the event.'),
    created_at: s.instant,
    workspace_id: s.prefixedId('ws'),
    sequence: integer
      .min(1)
      .description(
        'The position of the event among the events of its object. The events of an object are ' +
          'delivered in this order.',
      ),
    data: s
      .shape(nameOfData(object), {
        object: typed<unknown, joi.Schema>(object).description('The object immediately after the change.'),
        previous: optional(s.anyObject.description('The previous values of the fields that changed.')),
      })
      .description('The object that the event is about, and its previous values.'),
  });

/** The deliveries of an event, if it is requested by id. */
export const deliveries = array(
  s.shape({
    attempt: s.count.description('The number of the attempt, from 1.'),
    at: s.instant.description('The time of the attempt.'),
    status_code: nullable(integer).description('The HTTP status of the response. Null if there was none.'),
    duration_ms: nullable(s.count).description('How long the attempt took, in milliseconds.'),
    error: s.nullableText.description('Why there was no response.'),
    response_excerpt: s.nullableText.description('The beginning of the response body.'),
  }),
);

const EXAMPLE_EVENT_ID = 'evt_01kba6xz3fe4r9tq5v8mhc2s1k';

export const exampleDelivery = {
  attempt: 1,
  at: exampleInstant(0, 12),
  status_code: 200,
  duration_ms: 84,
  error: null,
  response_excerpt: 'ok',
};

export const eventExample = (
  type: EventType,
  data: { object: unknown; previous?: Record<string, unknown> },
) => ({
  id: EXAMPLE_EVENT_ID,
  type,
  api_version: API_VERSION,
  created_at: exampleInstant(0, 12),
  workspace_id: EXAMPLE_WORKSPACE_ID,
  sequence: 1,
  data,
});

const example = eventExample('member.deleted', { object: { id: EXAMPLE_MEMBER_ID, deleted: true } });
const delivered = { ...example, deliveries: [exampleDelivery] };

type Deps = Pick<ApiDependencies, 'db'>;

/** An event of a workspace, as it is stored. Errors: 404 `event_not_found`. */
export async function eventIn({ db }: Deps, { workspace_id }: { workspace_id: string }, id: string) {
  const event = isId('evt', id) ? await findEvent(db.manager, workspace_id, id) : null;
  if (!event) throw noSuchEvent();
  return event.body;
}

const encodePosition = (position: number): string =>
  Buffer.from(`position ${position}`).toString('base64url');

/** The position of a cursor of this list, or of the event whose id is the cursor. Errors: 422 on `cursor`. */
async function findPosition({ db }: Deps, workspaceId: string, cursor: string): Promise<number> {
  const [, position] = /^position (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (position !== undefined) return Number(position);
  const event = isId('evt', cursor) ? await findEvent(db.manager, workspaceId, cursor) : null;
  if (event?.position == null) throw invalidCursor();
  return event.position;
}

/**
 * Sorted by position, which is assigned in the order of commit (docs/rules/events.md#order-and-positions).
 */
export const listEvents = operation({
  route: 'GET /v1/events',
  summary: 'List events',
  description:
    'Returns events in the order in which they were committed: a client that reads page by page does ' +
    'not miss any. To continue after an event, send its id as `cursor`.',
  scope: 'webhooks:read',
  capability: 'manage_webhooks',
  query: object({
    type: oneOf(KNOWN_EVENT_TYPES).description('Returns only events of this type.'),
    from: timestamp.description('Returns only events created at or after this time.'),
    to: rangeEnd.description('Returns only events created before this time.'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(event) },
  examples: { query: { type: 'booking.confirmed' }, response: examplePage(example) },
  async run({ query: { cursor, limit, ...filter } }, { workspace_id }, deps) {
    const { db } = deps;
    await assignNewPositions(db, workspace_id);
    const after = cursor === undefined ? 0 : await findPosition(deps, workspace_id, cursor);
    const rows = await find(db.manager, { ...filter, workspace_id, after, limit: limit + 1 });
    const onPage = rows.slice(0, limit);
    return {
      data: onPage.map(({ body }) => presentEvent(body)),
      next_cursor: rows.length > limit ? encodePosition(onPage.at(-1)!.position) : null,
    };
  },
});

const getEvent = operation({
  route: 'GET /v1/events/:id',
  summary: 'Get an event',
  description: 'Returns the event with all of its delivery attempts.',
  scope: 'webhooks:read',
  capability: 'manage_webhooks',
  responses: { 200: event },
  examples: { response: delivered },
  async run({ params }, caller, deps) {
    const found = await eventIn(deps, caller, params.id);
    return presentEvent(found, await listDeliveries(deps.db.manager, found.workspace_id, found.id));
  },
});

export const redeliverEvent = operation({
  route: 'POST /v1/events/:id/redeliver',
  summary: 'Redeliver an event',
  description:
    'Attempts to deliver the event once, immediately, and returns it with all of its delivery attempts.',
  scope: 'webhooks:write',
  capability: 'manage_webhooks',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: true,
  responses: { 200: event },
  errors: ['not_found'],
  examples: { response: delivered },
  async run({ params, idempotency }, caller, deps) {
    const { id, workspace_id } = await eventIn(deps, caller, params.id);
    await existingEndpoint(deps.db.manager, workspace_id);
    return redeliverOnce(deps, workspace_id, id, idempotency);
  },
});

/** Events and their deliveries (docs/rules/events.md). */
export const events: Resource = {
  tag: 'Webhooks',
  operations: [listEvents, getEvent, redeliverEvent],
  ids: { events: { name: 'event', example: EXAMPLE_EVENT_ID, notFound: 'event_not_found' } },
};
