import { findRoomCalendars } from '../../db/queries/bookings/availability.js';
import { listOfferedRooms } from '../../db/queries/booking-page/offered-room.js';
import type { Room } from '../../db/entities/rooms.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import { computeAvailability } from '../../domain/bookings/availability.js';
import { DAY_MS } from '../../domain/durations.js';
import { computeFromPrice } from '../../domain/rates/from-price.js';
import type { TaxCode } from '../../domain/rates/price.js';
import { bookableRooms, hourlyPrice } from '../../api/resources/booking-page/public/offer.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { takeTurns } from '../../api/http/turns.js';
import { leastPrices } from '../../api/resources/bookings/availability/least-prices.js';
import { offeredLengths, usualLength } from '../../domain/bookings/offered-times.js';
import type { Words } from '../../domain/words/words.js';
import { wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { Contact } from '../ui/parts.js';
import type { OpenPage } from './page.js';
import { imageOrigins, RoomFeatures } from './room-features.js';

/** How many days ahead are searched for the lowest price of a room with rates. */
const DAYS = 14;

/** The lowest price of the rooms with rates in their free time of the next days, by their id. */
async function lowestPrices(
  { db }: ApiDependencies,
  { id: workspace_id, tax_codes }: Workspace,
  rooms: Room[],
): Promise<Map<string, number>> {
  const lowest = new Map<string, number>();
  const turn = takeTurns();
  const now = Date.now();
  const range = { start: now, end: now + DAYS * DAY_MS };
  const [from, to] = [new Date(range.start), new Date(range.end)];
  const rated = new Set(rooms.filter(({ rates }) => rates.length > 0).map(({ id }) => id));
  const calendars =
    rated.size > 0 ? await findRoomCalendars(db.manager, { workspace_id, of: { tier: null }, from, to }) : [];
  for (const calendar of calendars) {
    const { room } = calendar;
    const fromPrice = rated.has(room.id)
      ? computeFromPrice({ ...room, min_minutes: usualLength(room) }, null, tax_codes, now)
      : null;
    if (!fromPrice) continue;
    const { free } = computeAvailability(calendar, range, now);
    const prices = (await leastPrices(free, fromPrice, turn)).filter((price) => price !== null);
    if (prices.length > 0) lowest.set(room.id, Math.min(...prices));
    await turn();
  }
  return lowest;
}

/**
 * `£30.00 an hour`, with tax; `Free`. With rates, what the cheapest free hour costs: `From £12.00 for 1 h`.
 */
function describeRoomPrice(
  words: Words,
  room: Room,
  taxCodes: TaxCode[],
  lowest: number | undefined,
): string {
  if (room.rates.length > 0)
    return lowest === undefined || offeredLengths(room).length === 0
      ? words.say('page.price_by_time')
      : words.say('page.from_price', {
          price: words.amount(lowest, room.currency),
          length: words.length(usualLength(room)),
        });
  const { amount_minor, currency } = hourlyPrice(room, taxCodes)!;
  if (amount_minor === 0) return words.say('terms.free');
  return words.say('page.price_an_hour', { price: words.amount(amount_minor, currency) });
}

/** `GET /book/:slug`: the rooms of a workspace. */
export const showRooms =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, { page, workspace, to }: OpenPage): Promise<void> => {
    const rooms = await listOfferedRooms(deps.db.manager, page);
    const lowest = await lowestPrices(deps, workspace, rooms);
    const bookable = bookableRooms(rooms, workspace);
    const words = wordsIn(ctx);
    showPage(ctx, 200, {
      title: words.say('page.book_a_room'),
      images: imageOrigins(bookable.flatMap(({ image_urls }) => image_urls.slice(0, 1))),
      children: (
        <>
          {page.notice && <p class="lines">{page.notice}</p>}
          {bookable.length === 0 && (
            <p role="status">
              {rooms.length === 0
                ? words.say('page.no_room')
                : words.say('page.no_payments', { name: workspace.name })}
            </p>
          )}
          <ul class="rooms">
            {bookable.map((room) => (
              <li key={room.id}>
                <h2>{room.name}</h2>
                {room.image_urls[0] && <img src={room.image_urls[0]} alt="" loading="lazy" />}
                {room.description && <p class="lines">{room.description}</p>}
                <RoomFeatures
                  of={room}
                  price={describeRoomPrice(words, room, workspace.tax_codes, lowest.get(room.id))}
                />
                <a
                  class="button"
                  href={to(`/rooms/${room.id}`)}
                  aria-label={words.say('page.choose_time_in', { room: room.name })}
                >
                  {words.say('page.choose_time')}
                </a>
              </li>
            ))}
          </ul>
          <Contact of={workspace} />
        </>
      ),
    });
  };
