import joi from 'joi';
import type { Room } from '../../../db/entities/rooms.js';
import { ApiError } from '../../../domain/errors.js';
import { openWindows, type OpeningHours, WEEKDAYS } from '../../../domain/bookings/slots.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { columnsOf } from '../../../api/resources/rooms/handlers.js';
import type { UpdateBody } from '../../../api/resources/rooms/shape.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { repeated, roomChange } from './room-change.js';
import { upcomingOf } from './upcoming-bookings.js';
import { readWeek, Week, WeekLegend } from './week.js';
import { hoursInWords } from './words.js';

type HoursForm = Record<(typeof WEEKDAYS)[number], string[]> & { mode: 'always' | 'weekly' };

function hoursEntered(form: HoursForm): OpeningHours {
  return Object.fromEntries(
    WEEKDAYS.map((day) => {
      const times = form[day];
      const spans = Array.from({ length: Math.ceil(times.length / 2) }, (_, span) => [
        times[span * 2] ?? '',
        times[span * 2 + 1] ?? '',
      ]);
      return [day, spans.filter(([opens, closes]) => opens || closes)];
    }),
  ) as OpeningHours;
}

/**
 * The hours of the form. Errors: 422 `validation_failed` if times were entered for a
 * room that is always open.
 */
function openingHoursOf(form: HoursForm, { opening_hours: before }: Room): OpeningHours | null {
  const entered = hoursEntered(form);
  if (form.mode === 'weekly') return entered;
  const changed = WEEKDAYS.some((day) => `${entered[day] ?? []}` !== `${before?.[day] ?? []}`);
  if (changed) {
    const message =
      'You entered times, but “always” is chosen. Choose “at these hours”, or remove the times.';
    throw new ApiError('validation_failed', message, { param: 'mode' });
  }
  return null;
}

export const hoursFields = {
  ...hiddenFields,
  mode: joi.valid('always', 'weekly').required(),
  ...Object.fromEntries(WEEKDAYS.map((day) => [day, repeated])),
};

/** The number of confirmed bookings outside of a room's hours. */
async function countOutside(deps: ApiDependencies, room: Room): Promise<number> {
  const bookings = await upcomingOf(deps, room);
  return bookings.filter(({ start_at, end_at }) => {
    const range = { start: start_at.getTime(), end: end_at.getTime() };
    return !openWindows(room, range).some(({ start, end }) => start <= range.start && end >= range.end);
  }).length;
}

/** Changes a room's opening hours, after the next week with and without the change. */
export const hoursForm = apiForm<HoursForm, { name: string }>({
  ...roomChange,
  body: async (form, ctx, deps) => ({ opening_hours: openingHoursOf(form, await roomOf(ctx, deps)) }),
  async confirm(_form, ctx, deps) {
    const before = await roomOf(ctx, deps);
    const after: Room = { ...before, ...columnsOf(ctx.state.body as UpdateBody) };
    const week = await readWeek(deps, before);
    const outside = await countOutside(deps, after);
    return {
      title: `Opening hours of ${before.name}`,
      at: '/rooms',
      effects: (
        <>
          <h2>Next seven days with the new hours</h2>
          <p>{hoursInWords(after)}</p>
          <Week ctx={ctx} room={after} week={week} />
          <h2>With the current hours</h2>
          <p>{hoursInWords(before)}</p>
          <Week ctx={ctx} room={before} week={week} />
          <WeekLegend />
          {outside > 0 && (
            <p class="alert">
              {outside === 1
                ? 'One confirmed booking is outside the new hours. It is kept.'
                : `${outside} confirmed bookings are outside the new hours. They are kept.`}
            </p>
          )}
        </>
      ),
      button: 'Save opening hours',
    };
  },
  notice: ({ name }) => `The opening hours of ${name} have been saved.`,
});
