import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GUEST } from '../../domain/rates/rates.js';
import { offeredLengths, usualLength } from '../../domain/bookings/offered-times.js';
import { offeredMonth, priceStarts } from '../../api/resources/bookings/free-times.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { TimeChoice } from '../ui/times.js';
import { peopleIn, type Submitted } from './guest-form.js';
import type { RoomHandler } from './page.js';
import { imageOrigins, Pictures, RoomFacts, RoomFeatures } from './room-features.js';

const SCRIPT = readFileSync(new URL('./own-zone.js', import.meta.url), 'utf8');
/** The script replaces this with the visitor's time zone. */
const ZONE = '{zone}';

/** `GET /book/:slug/rooms/:room`: a month with its free days, and the free times of one of them. */
export const showTimes =
  (deps: ApiDependencies): RoomHandler =>
  async (ctx, { room, at, to, workspace }) => {
    const words = wordsIn(ctx);
    const people = peopleIn(ctx.query as Submitted);
    const lengths = offeredLengths(room);
    const minutes = lengths.find((length) => length === Number(ctx.query.minutes)) ?? usualLength(room);
    const offered = await offeredMonth(deps, room, { asked: ctx.query, minutes, asker: GUEST });
    const prices =
      room.rates.length > 0
        ? await priceStarts(room, { starts: offered.starts, minutes }, GUEST, workspace.tax_codes)
        : null;
    // Repeating the next form, also with Back, creates no second booking.
    const key = randomUUID();
    showPage(ctx, 200, {
      title: room.name,
      wide: true,
      back: { href: to('', people), label: words.say('page.all_rooms') },
      script: SCRIPT,
      images: imageOrigins(room.image_urls),
      children: (
        <div class="of-room">
          <div>
            <Pictures of={room} />
            <RoomFacts of={room} />
            {room.description && <p class="lines">{room.description}</p>}
            <RoomFeatures of={room.features} />
          </div>
          <TimeChoice
            of={offered}
            place={{ currency: workspace.currency, time_zone: room.time_zone }}
            lengths={lengths}
            minutes={minutes}
            to={(query) => to(at, { ...people, ...query })}
            linkTo={(start) => to(`${at}/details`, { ...people, start: start.toISOString(), minutes, key })}
            formatPrice={prices ? (start) => words.amount(prices.get(start)!, room.currency) : undefined}
            note={
              <p class="hint">
                {words.say('page.times_in', { zone: room.time_zone })}{' '}
                <span
                  id="own-zone"
                  data-zone={room.time_zone}
                  data-says={words.say('page.own_zone', { zone: ZONE })}
                  hidden
                />
              </p>
            }
          />
        </div>
      ),
    });
  };
