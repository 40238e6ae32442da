import joi from 'joi';
import { findMember } from '../../../db/queries/members/member.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import { offeredLengths } from '../../../domain/bookings/offered-times.js';
import { offeredDays, priceStarts } from '../../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Day } from '../../../domain/cycle.js';
import { HOUR_MINUTES, MINUTE_MS } from '../../../domain/durations.js';
import { addLength, countedMinutes } from '../../../domain/rooms/grid.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { GUEST, type Audience } from '../../../domain/rates/rates.js';
import { localTime } from '../shared/local-time.js';
import { toEnteredTimes, type EnteredTimes } from '../shared/time-fields.js';
import { can } from '../../../domain/policies.js';
import { pathIn } from '../shared/paths.js';
import { createFormats } from '../../ui/formats.js';
import { DayInput, formatFreeDay, NothingFree } from '../../ui/free-days.js';
import { wordsIn } from '../../ui/language.js';

/**
 * The query of the free times. Missing or invalid values default to the first room, the first day with a free
 * time, and one hour.
 */
export const timesQuery = {
  day: joi.string().max(10).allow(''),
  opened: joi.string().max(10).allow(''),
  minutes: joi.string().max(5).allow(''),
};

export interface TimesQuery extends Partial<EnteredTimes> {
  room_id?: string;
  day?: string;
  opened?: string;
  minutes?: string;
}

/** The minutes between two local times; NaN without them. */
const minutesBetween = ({ start_at, end_at }: TimesQuery): number =>
  (Date.parse(`${end_at}Z`) - Date.parse(`${start_at}Z`)) / MINUTE_MS;

/** The member who is signed in, as rates see them. */
async function findSelf(ctx: ApiContext, { db }: ApiDependencies): Promise<Audience> {
  const { workspace_id, member_id } = ctx.state.membership!;
  const { tier, company_id } = (await findMember(db.manager, workspace_id, member_id))!;
  return { tier, company_id };
}

/**
 * The free times of a room on a day, each a link that fills in the form below; null without a room. `moved`:
 * the booking that the form moves. `at`: the path of its page.
 */
export async function freeTimes(
  ctx: ApiContext,
  deps: ApiDependencies,
  rooms: Room[],
  query: TimesQuery,
  { at, moved }: { at: string; moved?: BookingRow } = { at: '/book' },
) {
  const room = rooms.find(({ id }) => id === query.room_id) ?? rooms[0];
  if (!room) return null;
  const { time_zone } = room;
  const { amount } = createFormats(ctx);
  const own = moved && toEnteredTimes(moved);
  const current =
    moved && countedMinutes({ start: moved.start_at.getTime(), end: moved.end_at.getTime() }, room);
  // A booking is not offered its own time.
  const timed = query.start_at === own?.start_at ? undefined : query.start_at?.slice(0, 10);
  const asked = query.day ? query : { day: timed };
  const lengths = offeredLengths(room, current);
  const minutes =
    [Number(query.minutes), minutesBetween(query), current ?? HOUR_MINUTES].find((each) =>
      lengths.includes(each),
    ) ??
    lengths[0] ??
    room.slot_minutes;
  const by_staff = can(ctx.state.membership!.role, 'all_bookings');
  const self = by_staff || moved ? null : await findSelf(ctx, deps);
  const offered = await offeredDays(deps, room, { asked, minutes, moved, asker: self, by_staff });
  const { day, starts, next } = offered;
  // A change costs the difference, which is shown in its review.
  const workspace = moved ? null : await findWorkspace(deps.db.manager, ctx.state.membership!.workspace_id);
  const prices =
    workspace && (await priceStarts(room, { starts, minutes }, self ?? GUEST, workspace.tax_codes));
  const priceAt = (start: Date): string => amount(prices!.get(start)!, room.currency);
  // Without rates, all times cost the same, unless clocks change during some.
  const isSame = room.rates.length === 0 && new Set(prices?.values()).size === 1;
  const same = isSame ? priceAt(starts[0]!) : null;
  const place = { time_zone, currency: ctx.state.membership!.currency };
  const freeTimesPath = (on: Day, times = {}): string =>
    `${pathIn(ctx, at)}?` +
    `${new URLSearchParams({ room_id: room.id, day: on, minutes: String(minutes), ...times })}`;
  const linkTo = (start: Date): string => {
    const end_at = new Date(addLength(start.getTime(), minutes, room));
    return `${freeTimesPath(day, toEnteredTimes({ start_at: start, end_at, time_zone }))}#start_at`;
  };
  return (
    <section class="card">
      <form class="filter">
        <div>
          <label>
            <span>Room</span>
            <select name="room_id">
              {rooms.map(({ id, name }) => (
                <option key={id} value={id} selected={id === room.id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div>
          <label>
            <span>Day</span>
            <DayInput of={offered} />
          </label>
        </div>
        <div>
          <label>
            <span>Length</span>
            <select name="minutes">
              {lengths.map((length) => (
                <option key={length} value={length} selected={length === minutes}>
                  {ENGLISH.length(length)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <button>Show free times</button>
      </form>
      <h2>
        Free times in {room.name}, {formatFreeDay(wordsIn(ctx), day, place)}
      </h2>
      {starts.length === 0 ? (
        <NothingFree next={next} minutes={minutes} place={place} onDay={freeTimesPath} />
      ) : (
        <ul class="times">
          {starts.map((start) => (
            <li key={start.toISOString()}>
              <a
                href={linkTo(start)}
                aria-current={localTime(start, time_zone) === query.start_at ? 'true' : undefined}
              >
                {createFormats(ctx, time_zone).clock(start)}
                {!same && prices && <small>{priceAt(start)}</small>}
              </a>
            </li>
          ))}
        </ul>
      )}
      {prices && starts.length > 0 && (
        <p class="soft">
          {same && `${ENGLISH.length(minutes)} costs ${same}. `}
          {by_staff ? 'Guest prices, including tax.' : 'Prices including tax.'}
        </p>
      )}
    </section>
  );
}
