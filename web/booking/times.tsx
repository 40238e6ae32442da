import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Room } from '../../db/entities/rooms.js';
import { dayIn } from '../../domain/cycle.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { pricesFor } from '../../domain/from-price.js';
import { latestStart } from '../../domain/slots.js';
import { instantOf } from '../../domain/time-zone.js';
import { freeStartsBetween, lengthsOf } from '../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { chosenIn, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import type { RoomHandler } from './page.js';
import { originsOf, Pictures, RoomFeatures } from './room-features.js';

const SCRIPT = readFileSync(new URL('./own-zone.js', import.meta.url), 'utf8');
const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;
const DAYS = 7;
const USUAL_MINUTES = 60;
/** What the script puts the visitor's zone in place of. */
const ZONE = '{zone}';

interface Choice {
  /** `2026-11-24` in the room's zone. */
  day: string;
  minutes: number;
  lengths: number[];
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The day and length in the address; today and an hour where there are none. */
export function choiceIn(query: ApiContext['query'], room: Room): Choice {
  const lengths = lengthsOf(room);
  const minutes = Number(query.minutes);
  const usual = lengths.find((length) => length >= USUAL_MINUTES) ?? lengths.at(-1)!;
  const today = dayIn(room.time_zone, new Date());
  const last = dayIn(room.time_zone, new Date(latestStart(Date.now())));
  const asked = String(query.day ?? '');
  const isDay = DAY_PATTERN.test(asked) && !Number.isNaN(Date.parse(asked));
  const day = isDay && asked >= today && asked <= last ? asked : today;
  return { day, minutes: lengths.includes(minutes) ? minutes : usual, lengths };
}

/** The free starts of a week, by their day. */
async function weekOf(
  deps: ApiDependencies,
  room: Room,
  { day, minutes }: Choice,
): Promise<Map<string, Date[]>> {
  const zone = room.time_zone;
  const [from, until] = [day, dayAfter(day, DAYS)].map((each) => instantOf(Date.parse(each), zone));
  const starts = await freeStartsBetween(deps, room, { from: from!, until: until!, minutes });
  const days = new Map<string, Date[]>();
  for (const start of starts) {
    const on = dayIn(zone, start);
    days.set(on, [...(days.get(on) ?? []), start]);
  }
  return days;
}

/** `GET /book/:slug/rooms/:room`: the free times of a day, and which days of its week have any. */
export const showTimes =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, { room, at, to, workspace }) => {
    const words = wordsIn(ctx);
    const choice = choiceIn(ctx.query, room);
    const { day: from, minutes, lengths } = choice;
    const week = await weekOf(deps, room, choice);
    const place = { currency: workspace.currency, time_zone: room.time_zone };
    const guest = { tier: null, company_id: null };
    const priceOf = room.rates.length > 0 ? pricesFor(room, guest, workspace.tax_codes, Date.now()) : null;
    const days = Array.from({ length: DAYS }, (_, n) => dayAfter(from, n));
    const nextFree = days.find((each) => week.has(each));
    // Who has not chosen a day yet begins with the first one that has free times.
    const day = ctx.query.day === undefined ? (nextFree ?? from) : from;
    const starts = week.get(day) ?? [];
    // A repeat of the form that follows creates no second booking, also one by the back button.
    const key = randomUUID();
    const dayOf = (each: string): string =>
      words.day(new Date(instantOf(Date.parse(each), room.time_zone)), place);
    const onDay = (each: string): string => to(at, { day: each, minutes });
    const lang = chosenIn(ctx);
    showPage(ctx, 200, {
      title: room.name,
      script: SCRIPT,
      images: originsOf(room.image_urls),
      children: (
        <>
          <Pictures of={room} />
          <RoomFeatures of={room} />
          <form method="get" action={to(at)}>
            {lang && <input type="hidden" name="lang" value={lang} />}
            <label for="day">{words.say('payer.day')}</label>
            <input
              id="day"
              name="day"
              type="date"
              required
              value={day}
              min={dayIn(room.time_zone, new Date())}
              max={dayIn(room.time_zone, new Date(latestStart(Date.now())))}
            />
            <label for="minutes">{words.say('payer.length')}</label>
            <select id="minutes" name="minutes">
              {lengths.map((length) => (
                <option key={length} value={length} selected={length === minutes}>
                  {words.length(length)}
                </option>
              ))}
            </select>
            <button type="submit" class="quiet">
              {words.say('payer.show_free_times')}
            </button>
          </form>
          <h2>{dayOf(day)}</h2>
          <p>
            {words.say('page.times_in', { zone: room.time_zone })}{' '}
            <span
              id="own-zone"
              data-zone={room.time_zone}
              data-says={words.say('page.own_zone', { zone: ZONE })}
              hidden
            />
          </p>
          {starts.length === 0 ? (
            <p role="status">
              {nextFree
                ? words.say('page.nothing_that_day', { day: dayOf(nextFree) })
                : words.say('page.nothing_those_days', { days: DAYS, length: words.length(minutes) })}
            </p>
          ) : (
            <ul class="times">
              {starts.map((start) => (
                <li key={start.toISOString()}>
                  <a href={to(`${at}/details`, { start: start.toISOString(), minutes, key })}>
                    <time dateTime={start.toISOString()}>{words.clock(start, place)}</time>
                    {priceOf && (
                      <small>
                        {words.amount(
                          priceOf({ start: start.getTime(), end: start.getTime() + minutes * MINUTE_MS }),
                          room.currency,
                        )}
                      </small>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          )}
          <h2>{words.say('page.other_days')}</h2>
          <ul class="days">
            {days
              .filter((each) => each !== day)
              .map((each) => (
                <li key={each}>
                  {week.has(each) ? (
                    <a href={onDay(each)}>{dayOf(each)}</a>
                  ) : (
                    <span>{words.say('page.nothing_free', { day: dayOf(each) })}</span>
                  )}
                </li>
              ))}
            <li>
              <a href={onDay(dayAfter(from, DAYS))}>{words.say('page.later')}</a>
            </li>
          </ul>
          <a class="button plain" href={to()}>
            {words.say('page.all_rooms')}
          </a>
        </>
      ),
    });
  };
