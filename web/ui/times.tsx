import type { ComponentChildren } from 'preact';
import type { OfferedMonth } from '../../domain/bookings/form-month.js';
import type { Day } from '../../domain/cycle.js';
import { formatFreeDay, MonthTable, NothingInMonth, type Place } from './free-days.js';
import { useWords } from './language.js';
import { QueryForm } from './query-form.js';

/** The id of the times, to which the links of days lead: on a phone they are below the month. */
const TIMES = 'times';

/**
 * Chooses a time: the length, a month of free days, and the free times of one day. `to`: the address of the
 * page with a query; `linkTo`: of a free time.
 */
export function TimeChoice(props: {
  of: OfferedMonth;
  place: Place;
  lengths: number[];
  minutes: number;
  to: (query?: Record<string, string | number>) => string;
  linkTo: (start: Date) => string;
  /** What is said about the times. */
  note?: ComponentChildren;
  /** The price of a time, if times have different ones. */
  formatPrice?: (start: Date) => string;
}) {
  const { of, place, lengths, minutes, to, linkTo, note, formatPrice } = props;
  const { day, starts } = of;
  const words = useWords();
  const links = {
    onDay: (each: Day) => `${to({ day: each, minutes })}#${TIMES}`,
    onMonth: (month: string) => to({ month, minutes }),
  };
  return (
    <div class="time-choice card">
      <div>
        <LengthForm of={of} to={to} lengths={lengths} minutes={minutes} />
        <MonthTable of={of} place={place} {...links} />
      </div>
      <section id={TIMES} aria-labelledby={day && 'shown-day'}>
        {day && <h2 id="shown-day">{formatFreeDay(words, day, place)}</h2>}
        {starts.length === 0 ? (
          <NothingInMonth of={of} minutes={minutes} place={place} {...links} />
        ) : (
          <>
            <ul class="times">
              {starts.map((start) => (
                <li key={start.toISOString()}>
                  <a href={linkTo(start)}>
                    <time dateTime={start.toISOString()}>{words.clock(start, place)}</time>
                    {formatPrice && <small>{formatPrice(start)}</small>}
                  </a>
                </li>
              ))}
            </ul>
            {note}
          </>
        )}
      </section>
    </div>
  );
}

/** The length of the booking. A chosen day or month stays; the day on which the form opened was no choice. */
function LengthForm(props: {
  of: OfferedMonth;
  to: (query?: Record<string, string | number>) => string;
  lengths: number[];
  minutes: number;
}) {
  const { of, to, lengths, minutes } = props;
  const words = useWords();
  return (
    <QueryForm to={to(of.asked)} button={words.say('payer.show_free_times')}>
      <label for="minutes">{words.say('payer.length')}</label>
      <select id="minutes" name="minutes">
        {lengths.map((length) => (
          <option key={length} value={length} selected={length === minutes}>
            {words.length(length)}
          </option>
        ))}
      </select>
    </QueryForm>
  );
}
