import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { changeRoom } from '../../../api/resources/rooms/operations.js';
import type { Room } from '../../../db/entities/rooms.js';
import { openWindows, WEEKDAYS, type OpeningHours } from '../../../domain/bookings/slots.js';
import { ApiError } from '../../../domain/errors.js';
import { repeated, type Submitted } from '../forms/fields.js';
import { form } from '../forms/form.js';
import type { Input } from '../forms/inputs.js';
import { Choices, TextField } from '../shared/fields.js';
import { listUpcomingBookings, type RoomPage } from './read-room.js';
import { submittedValues } from './refund-rows.js';
import { Week, WeekLegend } from './week.js';
import { DAY_NAMES, describeOpeningHours, shortDay, WEEK } from './words.js';

/** Times of opening and closing per day: at least two spans, so that a lunch break fits. */
const MIN_SPANS = 2;

/** Opening hours of a new room: the same on the selected days; none for a room that is always open. */
export const sameHours: Input = {
  fields: () => ({
    opens: joi.string().max(10).allow(''),
    closes: joi.string().max(10).allow(''),
    days: joi
      .array()
      .items(joi.valid(...WEEKDAYS))
      .single()
      .default([]),
  }),
  read(name, form) {
    const { opens, closes } = form;
    const days = form.days as string[];
    if (!opens && !closes) return { [name]: null };
    if (!opens || !closes) {
      const message = 'Enter both times, or neither if the room is always open.';
      throw new ApiError('validation_failed', message, { param: opens ? 'closes' : 'opens' });
    }
    if (days.length === 0)
      throw new ApiError('validation_failed', 'Select at least one day.', { param: 'days' });
    return { [name]: Object.fromEntries(days.map((day) => [day, [[opens, closes]]])) };
  },
  Show: () => (
    <>
      <div class="grid">
        <div>
          <TextField name="opens" label="Opens" optional={false} type="time" value="09:00" />
        </div>
        <div>
          <TextField name="closes" label="Closes" optional={false} type="time" value="18:00" />
        </div>
      </div>
      <div class="chips">
        <Choices
          name="days"
          label="On"
          options={WEEK.map((day) => [day, shortDay(day)] as const)}
          chosen={WEEK.slice(0, 5)}
        />
      </div>
    </>
  ),
  wide: () => true,
  called: () => ({}),
};

/** The times of each day as pairs; empty pairs are left out. */
const hoursEntered = (form: Submitted): OpeningHours =>
  Object.fromEntries(
    WEEKDAYS.map((day) => {
      const times = form[day] as string[];
      const spans = Array.from({ length: Math.ceil(times.length / 2) }, (_, span) => [
        times[span * 2] ?? '',
        times[span * 2 + 1] ?? '',
      ]);
      return [day, spans.filter(([opens, closes]) => opens || closes)];
    }),
  );

const currentHours = (of: unknown): OpeningHours | undefined =>
  (of as { opening_hours?: OpeningHours }).opening_hours;

/** Opening hours with a row per weekday, or none for a room that is always open. */
const weeklyHours: Input<RoomPage> = {
  fields: () => ({
    mode: joi.valid('always', 'weekly').required(),
    ...Object.fromEntries(WEEKDAYS.map((day) => [day, repeated])),
  }),
  read(name, form, { of }) {
    const entered = hoursEntered(form);
    const before = currentHours(of);
    const isSame = WEEKDAYS.every((day) => `${entered[day] ?? []}` === `${before?.[day] ?? []}`);
    // A closed day of the stored hours can be missing or empty.
    if (form.mode === 'weekly') return { [name]: isSame && before ? before : entered };
    if (!isSame) {
      const message = 'You entered times but selected “always”. Select “at these hours” or remove the times.';
      throw new ApiError('validation_failed', message, { param: 'mode' });
    }
    return { [name]: null };
  },
  Show({ shown: { ctx, action, of } }) {
    const hours = currentHours(of);
    const spans = Math.max(MIN_SPANS, ...WEEK.map((day) => hours?.[day]?.length ?? 0));
    return (
      <>
        <Choices
          type="radio"
          name="mode"
          label="The room is open"
          options={[
            ['always', 'always'],
            ['weekly', 'at these hours'],
          ]}
          chosen={[hours ? 'weekly' : 'always']}
        />
        <table class="inputs plain" data-chooses="[name=mode][value=weekly]">
          <thead>
            <tr>
              <td />
              {Array.from({ length: spans }, (_, span) => (
                <th key={span} scope="col">
                  {span === 0 ? 'Hours' : 'More hours'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEK.map((day) => {
              const times = submittedValues(ctx, action, day) ?? (hours?.[day] ?? []).flat();
              return (
                <tr key={day}>
                  <th scope="row">{DAY_NAMES[day]}</th>
                  {Array.from({ length: spans }, (_, span) => (
                    <td key={span} class="span">
                      {[0, 1].map((end) => (
                        <input
                          key={end}
                          type="time"
                          name={day}
                          id={span + end === 0 ? day : undefined}
                          aria-label={
                            `${DAY_NAMES[day]} ` +
                            `${end ? 'until' : 'from'}${span ? `, part ${span + 1}` : ''}`
                          }
                          value={times[span * 2 + end]}
                        />
                      ))}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </>
    );
  },
  wide: () => true,
  called: () => ({}),
};

/** The number of confirmed bookings outside of a room's hours. */
async function countOutside(deps: ApiDependencies, room: Room): Promise<number> {
  const bookings = await listUpcomingBookings(deps, room);
  return bookings.filter(({ start_at, end_at }) => {
    const range = { start: start_at.getTime(), end: end_at.getTime() };
    return !openWindows(room, range).some(({ start, end }) => start <= range.start && end >= range.end);
  }).length;
}

/** Changes a room's opening hours, after the next week with and without the change. */
export const hours = form(
  changeRoom,
  { opening_hours: weeklyHours },
  {
    path: '/hours',
    summary: 'Opening hours',
    button: 'Preview next week',
    wide: true,
    of: ({ shown }) => shown,
    hint: 'Leave a day empty to close it. An end at or before the start is on the next day.',
    async confirm({ ctx, body, data: { room: before, week } }, deps) {
      const after: Room = { ...before, opening_hours: body.opening_hours ?? null };
      const outside = await countOutside(deps, after);
      return {
        title: `Opening hours of ${before.name}`,
        at: '/rooms',
        effects: (
          <>
            <h2>Next seven days with the new hours</h2>
            <p>{describeOpeningHours(after)}</p>
            <Week ctx={ctx} room={after} week={week} />
            <h2>With the current hours</h2>
            <p>{describeOpeningHours(before)}</p>
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
  },
);
