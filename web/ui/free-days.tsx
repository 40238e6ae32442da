import { startOfDay, type Day } from '../../domain/cycle.js';
import { FORM_DAYS, type OfferedDays } from '../../domain/bookings/form-days.js';
import type { Words } from '../../domain/words/words.js';
import { useWords } from './language.js';

/** The zone of a room, and the currency whose users the page is written for. */
interface Place {
  time_zone: string;
  currency: string;
}

/** `Tue 24 Nov` */
export const formatFreeDay = (words: Words, day: Day, place: Place): string =>
  words.day(startOfDay(day, place.time_zone), place);

/**
 * The field of the day of a form that offers free times. Sent unchanged, the day on which the
 * form opened is not a choice.
 */
export function DayInput({ of: { day, opened, first, last }, id }: { of: OfferedDays; id?: string }) {
  return (
    <>
      <input id={id} type="date" name="day" required value={day} min={first} max={last} />
      {opened && <input type="hidden" name="opened" value={opened} />}
    </>
  );
}

/** Says that the day of a form has no free time, with a link to the next day that has one. */
export function NothingFree(props: {
  next: Day | undefined;
  minutes: number;
  place: Place;
  /** The address of the form on a day. */
  onDay: (day: Day) => string;
}) {
  const { next, minutes, place, onDay } = props;
  const words = useWords();
  return (
    <p>
      {next ? (
        <>
          {words.say('payer.nothing_that_day', { length: words.length(minutes) })}{' '}
          <a href={onDay(next)}>
            {words.say('payer.next_free_day', { day: formatFreeDay(words, next, place) })}
          </a>
        </>
      ) : (
        words.say('payer.nothing_those_days', { days: FORM_DAYS, length: words.length(minutes) })
      )}
    </p>
  );
}
