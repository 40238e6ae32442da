import { findRoomCalendars } from '../../db/queries/bookings/availability.js';
import { listOfferedRooms } from '../../db/queries/booking-page/offered-room.js';
import type { Room } from '../../db/entities/rooms.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import { computeAvailability } from '../../domain/bookings/availability.js';
import { DAY_MS, HOUR_MINUTES } from '../../domain/durations.js';
import { computeFromPrice } from '../../domain/rates/from-price.js';
import { GUEST } from '../../domain/rates/rates.js';
import type { TaxCode } from '../../domain/rates/price.js';
import { bookableRooms, hourlyPrice } from '../../api/resources/booking-page/public/offer.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { takeTurns } from '../../api/http/turns.js';
import { leastPrices } from '../../api/resources/bookings/availability/least-prices.js';
import { offeredLengths, usualLength } from '../../domain/bookings/offered-times.js';
import { useWords, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { QueryForm } from '../ui/query-form.js';
import { Contact } from '../ui/parts.js';
import { peopleIn, type Submitted } from './guest-form.js';
import type { OpenPage } from './page.js';
import { imageOrigins, RoomFacts, RoomFeatures, RoomPicture } from './room-features.js';

/** How many days ahead are searched for the lowest price of a room with rates. */
const DAYS = 14;

/**
 * The lowest price of an hour of each room with rates, in its free time of the next days, by the room's id,
 * in minor units. A room without bookings of an hour has the price of its usual length, divided by its hours.
 */
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
    rated.size > 0
      ? await findRoomCalendars(db.manager, { workspace_id, of: { tier: null }, from, to }, GUEST)
      : [];
  for (const calendar of calendars) {
    const { room } = calendar;
    const minutes = usualLength(room);
    const fromPrice = rated.has(room.id)
      ? computeFromPrice({ ...room, min_minutes: minutes }, null, tax_codes, now)
      : null;
    if (!fromPrice) continue;
    const { free } = computeAvailability(calendar, range, now);
    const prices = (await leastPrices(free, fromPrice, turn)).filter((price) => price !== null);
    if (prices.length > 0) lowest.set(room.id, Math.round((Math.min(...prices) * HOUR_MINUTES) / minutes));
    await turn();
  }
  return lowest;
}

/** `£30.00 per hour incl. tax`, or `From £12.00 per hour incl. tax` with rates; `Free`. */
function RoomPrice({
  room,
  taxCodes,
  lowest,
}: {
  room: Room;
  taxCodes: TaxCode[];
  lowest: number | undefined;
}) {
  const words = useWords();
  const hour = hourlyPrice(room, taxCodes)?.amount_minor ?? lowest;
  if (hour === undefined || offeredLengths(room).length === 0)
    return <p class="price">{words.say('page.price_by_time')}</p>;
  if (hour === 0 && room.rates.length === 0) return <p class="price">{words.say('terms.free')}</p>;
  const isTaxed = (taxCodes.find(({ code }) => code === room.tax_code)?.rate_bps ?? 0) > 0;
  const price = words.amount(hour, room.currency);
  return (
    <p class="price">
      <strong>
        {words.say(room.rates.length > 0 ? 'page.from_price' : 'page.price_an_hour', { price })}
      </strong>{' '}
      {isTaxed && <small>{words.say('page.with_tax')}</small>}
    </p>
  );
}

/** Chooses the rooms for a number of people. */
function PeopleForm({ to, attendees }: { to: string; attendees: number | undefined }) {
  const words = useWords();
  return (
    <QueryForm to={to} button={words.say('page.show_rooms')}>
      <label for="attendees">{words.say('page.people')}</label>
      <input id="attendees" name="attendees" type="number" inputMode="numeric" min={1} value={attendees} />
    </QueryForm>
  );
}

/** The features that a card shows. */
const FEATURES = 3;

/** `GET /book/:slug`: the rooms of a workspace, or those for a number of people (`attendees`). */
export const showRooms =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, { page, workspace, to }: OpenPage): Promise<void> => {
    const rooms = await listOfferedRooms(deps.db.manager, page);
    const lowest = await lowestPrices(deps, workspace, rooms);
    const bookable = bookableRooms(rooms, workspace);
    const people = peopleIn(ctx.query as Submitted);
    const { attendees = 1 } = people;
    const fitting = bookable.filter(({ capacity }) => capacity === null || capacity >= attendees);
    const words = wordsIn(ctx);
    showPage(ctx, 200, {
      title: words.say('page.book_a_room'),
      wide: bookable.length > 0,
      isTitleOfSite: true,
      images: imageOrigins(fitting.flatMap(({ image_urls }) => image_urls.slice(0, 1))),
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
          {new Set(bookable.map(({ capacity }) => capacity)).size > 1 && (
            <PeopleForm to={to()} attendees={people.attendees} />
          )}
          {fitting.length === 0 && bookable.length > 0 && (
            <p role="status">
              {words.say('page.no_room_for', {
                people: attendees,
                most: Math.max(...bookable.map(({ capacity }) => capacity ?? 0)),
              })}
            </p>
          )}
          <ul class="rooms">
            {fitting.map((room) => (
              <li key={room.id} class="card">
                <RoomPicture of={room} />
                <h2>
                  <bdi>{room.name}</bdi>
                </h2>
                <RoomFacts of={room} />
                {room.description && (
                  <p class="description" title={room.description}>
                    {room.description}
                  </p>
                )}
                <RoomFeatures of={room.features} most={FEATURES} />
                <div class="offer">
                  <RoomPrice room={room} taxCodes={workspace.tax_codes} lowest={lowest.get(room.id)} />
                  <a
                    class="button quiet"
                    href={to(`/rooms/${room.id}`, people)}
                    aria-label={words.say('page.choose_time_in', { room: room.name })}
                  >
                    {words.say('page.choose_time')}
                  </a>
                </div>
              </li>
            ))}
          </ul>
          <Contact of={workspace} />
        </>
      ),
    });
  };
