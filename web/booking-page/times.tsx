import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dayAfter, type Day } from '../../domain/cycle.js';
import { pricesFor } from '../../domain/rates/from-price.js';
import { addLength } from '../../domain/rooms/grid.js';
import { offeredLengths, usualLength } from '../../domain/bookings/offered-times.js';
import { offeredDays } from '../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { DayInput, formatFreeDay, NothingFree } from '../ui/free-days.js';
import { chosenIn, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import type { RoomHandler } from './page.js';
import { imageOrigins, Pictures, RoomFeatures } from './room-features.js';

const SCRIPT = readFileSync(new URL('./own-zone.js', import.meta.url), 'utf8');
/** The script replaces this with the visitor's time zone. */
const ZONE = '{zone}';

/** `GET /book/:slug/rooms/:room`: the free times of a day, and which days of its week have any. */
export const showTimes =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, { room, at, to, workspace }) => {
    const words = wordsIn(ctx);
    const lengths = offeredLengths(room);
    const minutes = lengths.find((length) => length === Number(ctx.query.minutes)) ?? usualLength(room);
    const offered = await offeredDays(deps, room, { asked: ctx.query, minutes });
    const { days, day, starts, next } = offered;
    const place = { currency: workspace.currency, time_zone: room.time_zone };
    const guest = { tier: null, company_id: null };
    const formatPrice =
      room.rates.length > 0 ? pricesFor(room, guest, workspace.tax_codes, Date.now()) : null;
    // Repeating the next form, also with Back, creates no second booking.
    const key = randomUUID();
    const formatDay = (each: Day): string => formatFreeDay(words, each, place);
    const onDay = (each: Day): string => to(at, { day: each, minutes });
    const lang = chosenIn(ctx);
    showPage(ctx, 200, {
      title: room.name,
      script: SCRIPT,
      images: imageOrigins(room.image_urls),
      children: (
        <>
          <Pictures of={room} />
          <RoomFeatures of={room} />
          <form method="get" action={to(at)}>
            {lang && <input type="hidden" name="lang" value={lang} />}
            <label for="day">{words.say('payer.day')}</label>
            <DayInput id="day" of={offered} />
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
          <h2>{formatDay(day)}</h2>
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
            <NothingFree next={next} minutes={minutes} place={place} onDay={onDay} />
          ) : (
            <ul class="times">
              {starts.map((start) => (
                <li key={start.toISOString()}>
                  <a href={to(`${at}/details`, { start: start.toISOString(), minutes, key })}>
                    <time dateTime={start.toISOString()}>{words.clock(start, place)}</time>
                    {formatPrice && (
                      <small>
                        {words.amount(
                          formatPrice({
                            start: start.getTime(),
                            end: addLength(start.getTime(), minutes, room),
                          }),
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
            {[...days]
              .filter(([each]) => each !== day)
              .map(([each, { length }]) => (
                <li key={each}>
                  {length > 0 ? (
                    <a href={onDay(each)}>{formatDay(each)}</a>
                  ) : (
                    <span>{words.say('page.nothing_free', { day: formatDay(each) })}</span>
                  )}
                </li>
              ))}
            <li>
              <a href={onDay(dayAfter([...days.keys()].at(-1)!))}>{words.say('page.later')}</a>
            </li>
          </ul>
          <a class="button plain" href={to()}>
            {words.say('page.all_rooms')}
          </a>
        </>
      ),
    });
  };
