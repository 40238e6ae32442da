import joi from 'joi';
import { findMember } from '../../../db/queries/members/member.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import { freeStarts, lengthInWords, lengthsOf } from '../../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { dayIn } from '../../../domain/cycle.js';
import { HOUR_MINUTES, MINUTE_MS } from '../../../domain/durations.js';
import { pricesFor } from '../../../domain/from-price.js';
import { localTime } from '../shared/local-time.js';
import { timesOf, type EnteredTimes } from '../shared/time-fields.js';
import { can } from '../../../domain/policies.js';
import { pathIn } from '../shared/api-form.js';
import { formatsOf } from '../../ui/formats.js';

const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;

/** The address of free times; what is missing or impossible is the first room, today and an hour. */
export const timesQuery = { day: joi.string().max(10).allow(''), minutes: joi.string().max(5).allow('') };

export interface TimesQuery extends Partial<EnteredTimes> {
  room_id?: string;
  day?: string;
  minutes?: string;
}

/** The minutes between two local times; NaN without them. */
const minutesBetween = ({ start_at, end_at }: TimesQuery): number =>
  (Date.parse(`${end_at}Z`) - Date.parse(`${start_at}Z`)) / MINUTE_MS;

/**
 * The lengths to choose from: every one up to four hours, whole hours up to twelve, and then few. Any other can be entered with
 * its times.
 */
function listedLengths(lengths: number[], chosen: number): number[] {
  const stepAt = (minutes: number): number =>
    minutes <= 4 * HOUR_MINUTES ? 1 : minutes <= 12 * HOUR_MINUTES ? HOUR_MINUTES : 6 * HOUR_MINUTES;
  return lengths.filter((length) => length === chosen || length % stepAt(length) === 0);
}

/** What times cost who books: a guest, or the member who books for themselves. */
async function pricesOf(ctx: ApiContext, { db }: ApiDependencies, room: Room, by_staff: boolean) {
  const { workspace_id, member_id } = ctx.state.membership!;
  const member = by_staff ? null : await findMember(db.manager, workspace_id, member_id);
  const audience = { tier: member?.tier ?? null, company_id: member?.company_id ?? null };
  const { tax_codes } = (await findWorkspace(db.manager, workspace_id))!;
  return pricesFor(room, audience, tax_codes, Date.now());
}

/**
 * The free times of a room on a day, each a link that fills in the form below; null without a room. `moved`: the booking that
 * the form moves, whose page is `at`.
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
  const { amount } = formatsOf(ctx);
  const today = dayIn(time_zone, new Date());
  const asked = query.day || query.start_at?.slice(0, 10) || '';
  const day = DAY_PATTERN.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : today;
  const current = moved && minutesBetween(timesOf(moved));
  const lengths = lengthsOf(room, current);
  const minutes =
    [Number(query.minutes), minutesBetween(query), current ?? HOUR_MINUTES].find((each) =>
      lengths.includes(each),
    ) ??
    lengths[0] ??
    room.slot_minutes;
  const by_staff = can(ctx.state.membership!.role, 'all_bookings');
  const starts = await freeStarts(deps, room, { day, minutes, moved, by_staff });
  // A change costs the difference, which its review says.
  const priceOf = starts.length > 0 && !moved ? await pricesOf(ctx, deps, room, by_staff) : null;
  const priceAt = (start: Date): string | null =>
    priceOf &&
    amount(priceOf({ start: start.getTime(), end: start.getTime() + minutes * MINUTE_MS }), room.currency);
  // Without rates, all times cost the same.
  const same = room.rates.length === 0 && starts[0] ? priceAt(starts[0]) : null;
  const linkTo = (start: Date): string => {
    const end_at = new Date(start.getTime() + minutes * MINUTE_MS);
    const fields = new URLSearchParams({
      room_id: room.id,
      day,
      minutes: String(minutes),
      ...timesOf({ start_at: start, end_at, time_zone }),
    });
    return `${pathIn(ctx, at)}?${fields}#start_at`;
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
            <input type="date" name="day" required value={day} min={today} />
          </label>
        </div>
        <div>
          <label>
            <span>Length</span>
            <select name="minutes">
              {listedLengths(lengths, minutes).map((length) => (
                <option key={length} value={length} selected={length === minutes}>
                  {lengthInWords(length)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <button>Show free times</button>
      </form>
      <h2>
        Free times in {room.name}, {formatsOf(ctx, 'UTC').day(new Date(`${day}T12:00:00Z`))}
      </h2>
      {starts.length === 0 ? (
        <p class="soft">No free times for this length on this day. Choose another day, length or room.</p>
      ) : (
        <ul class="times">
          {starts.map((start) => (
            <li key={start.toISOString()}>
              <a
                href={linkTo(start)}
                aria-current={localTime(start, time_zone) === query.start_at ? 'true' : undefined}
              >
                {formatsOf(ctx, time_zone).clock(start)}
                {!same && priceOf && <small>{priceAt(start)}</small>}
              </a>
            </li>
          ))}
        </ul>
      )}
      {priceOf && (
        <p class="soft">
          {same && `${lengthInWords(minutes)} costs ${same}. `}
          {by_staff ? 'Prices are those of a guest, tax included.' : 'Prices include tax.'}
        </p>
      )}
    </section>
  );
}
