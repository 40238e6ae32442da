import { isId } from '../../../db/ids.js';
import { presentFeed } from '../../../domain/feeds/presenter.js';
import { text } from '../../http/fields.js';
import { object, oneOf, type Infer } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

const KINDS = ['room', 'member'] as const;

export const isFeedId = (id: string): boolean => isId('feed', id);

/** Body of `POST /v1/feeds`. */
export const createSchema = object(
  {
    kind: oneOf(KINDS).description('`room`: the bookings of a room. `member`: your own bookings.'),
    id: text(100).description('The id of the room, or of your member.'),
  },
  'kind',
  'id',
).required();
export type CreateBody = Infer<typeof createSchema>;

/** A calendar address in lists. */
export const feed = s.presentedBy(
  presentFeed,
  s.shape({
    id: s.idOf('feed'),
    kind: oneOf(KINDS).description('What it is of: a room, or the member’s own bookings.'),
    object_id: s.anyText.description('The id of the room or member.'),
    created_at: s.instant,
  }),
);

/** A new calendar address. */
export const createdFeed = s.extend(feed, {
  url: s.nullableText.description('The address for calendar programs. Returned only once, null in a repeat.'),
});
