import { createFeed as create, deleteFeed as remove } from '../../../commands/feeds/feeds.js';
import { isId } from '../../../db/ids.js';
import { listFeeds as find } from '../../../db/queries/feeds/feed.js';
import { presentFeed } from '../../../domain/feeds/presenter.js';
import { pageSchema } from '../../http/cursor.js';
import { text } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, nothing, operation } from '../../http/operation.js';
import { object, oneOf } from '../../http/typed.js';
import { EXAMPLE_ROOM_ID } from '../rooms/operations.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

const KINDS = ['room', 'member'] as const;

export const feed = s.presentedBy(
  presentFeed,
  s.shape('Feed', {
    id: s.prefixedId('feed'),
    kind: oneOf(KINDS).description('Which bookings it contains: those of a room, or the member’s own.'),
    object_id: s.anyText.description('The id of the room or member.'),
    created_at: s.instant,
  }),
);

export const createdFeed = s.extend('CreatedFeed', feed, {
  url: s.nullableText.description('The URL for calendar programs. Returned only once; null in a repeat.'),
});

const example = {
  id: 'feed_01kba6xz3fe4r9tq5v8mhc2s1f',
  kind: 'room',
  object_id: EXAMPLE_ROOM_ID,
  created_at: exampleInstant(0, 12),
};

export const listFeeds = operation({
  route: 'GET /v1/feeds',
  summary: 'List calendar addresses',
  id: 'listFeeds',
  description:
    'Returns the calendar addresses of the key’s member, newest first. Their URLs are not included.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: pageSchema,
  responses: { 200: s.pageSchema(feed) },
  examples: { response: examplePage(example) },
  run: ({ query }, { workspace_id, member_id }, { db }) =>
    listPage(query, {
      by: 'created_at',
      list: { name: 'feeds', isId: (id) => isId('feed', id) },
      find: (page) => find(db.manager, { workspace_id, member_id, ...page }),
      present: presentFeed,
    }),
});

export const createFeed = operation({
  route: 'POST /v1/feeds',
  summary: 'Create a calendar address',
  id: 'createFeed',
  description:
    'Creates a URL that calendar programs can subscribe to without a key. The calendar contains the ' +
    'bookings of a room, or your own, that the key’s member is allowed to see at the time it is ' +
    'read. The key needs `calendar:read`. The URL stops working when the token of this request does: ' +
    'when the key expires, is revoked or loses `calendar:read`, or when the token’s grace window ' +
    'ends after a rotation. It also stops working when the membership ends. It can be read only from ' +
    'the `ip_allowlist` of the key. A new calendar address for the same room or member replaces the ' +
    'previous one. `url` is returned only once: a repeat with the same `Idempotency-Key` returns ' +
    'null.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  body: object(
    {
      kind: oneOf(KINDS).description('`room`: the bookings of a room. `member`: your own bookings.'),
      id: text(100).description('The id of the room, or of your member.'),
    },
    'kind',
    'id',
  ).required(),
  idempotent: true,
  responses: { 200: createdFeed, 201: createdFeed },
  errors: ['room_not_found', 'not_found'],
  examples: {
    body: { kind: 'room', id: EXAMPLE_ROOM_ID },
    response: { ...example, url: `https://book.example.com/feeds/${example.id}.3q2-7w….ics` },
  },
  async run({ body, idempotency, client }, caller, { db, feedLinks }) {
    const token_hash = client.token!.hash;
    const { object: feed, isNew } = await create(db, caller, body, { idempotency, token_hash });
    return { object: { ...feed, url: isNew ? feedLinks.linkTo(feed.id) : null }, isNew };
  },
  reply: created,
});

export const deleteFeed = operation({
  route: 'DELETE /v1/feeds/:id',
  summary: 'Delete a calendar address',
  id: 'deleteFeed',
  description: 'Deletes a calendar address of the key’s member. Its URL stops working.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  idempotent: nothing,
  responses: { 204: null },
  run: ({ params }, caller, { db }) => remove(db, caller, params.id),
});

/** Calendar addresses (docs/rules/bookings.md#calendar-address). */
export const feeds: Resource = {
  tag: 'Bookings',
  operations: [listFeeds, createFeed, deleteFeed],
  ids: {
    feeds: {
      name: 'feed',
      description: 'The id of the calendar address.',
      example: example.id,
      notFound: 'not_found',
    },
  },
};
