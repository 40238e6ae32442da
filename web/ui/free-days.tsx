import { startOfDay, type Day } from '../../domain/cycle.js';
import { FORM_DAYS, type OfferedDays } from '../../domain/bookings/form-days.js';
import type { Month, OfferedMonth } from '../../domain/bookings/form-month.js';
import type { Words } from '../../domain/words/words.js';
import { Icon } from './icons.js';
import { useWords } from './language.js';

/** The zone of a room, and the currency whose users the page is written for. */
export interface Place {
  time_zone: string;
  currency: string;
}

/** `Tue 24 Nov` */
export const formatFreeDay = (words: Words, day: Day, place: Place): string =>
  words.day(startOfDay(day, place.time_zone), place);

/**
 * The field for the day of a form that offers free times. The day on which the form opened counts as not
 * chosen if it is sent unchanged.
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
          <NextFree day={next} place={place} onDay={onDay} />
        </>
      ) : (
        words.say('payer.nothing_those_days', { days: FORM_DAYS, length: words.length(minutes) })
      )}
    </p>
  );
}

function NextFree({ day, place, onDay }: { day: Day; place: Place; onDay: (day: Day) => string }) {
  const words = useWords();
  return (
    <a href={onDay(day)}>{words.say('payer.next_free_day', { day: formatFreeDay(words, day, place) })}</a>
  );
}

/** Days and months as links of a page. */
interface Links {
  onDay: (day: Day) => string;
  onMonth: (month: Month) => string;
}

/** Says that a month or the chosen day has no free time. */
export function NothingInMonth(props: { of: OfferedMonth; minutes: number; place: Place } & Links) {
  const { of, minutes, place, onDay } = props;
  const words = useWords();
  const length = words.length(minutes);
  if (!of.day)
    return (
      <p>{words.say('payer.nothing_in_month', { length, month: words.month(of.month, place.currency) })}</p>
    );
  return (
    <p>
      {words.say('payer.nothing_that_day', { length })}{' '}
      {of.nextFree && <NextFree day={of.nextFree} place={place} onDay={onDay} />}
    </p>
  );
}

const DAYS_A_WEEK = 7;

/** The weeks of a month from a weekday on (0 for Monday), with null for the days of its neighbours. */
function splitWeeks(days: Day[], firstWeekday: number): (Day | null)[][] {
  const before = (new Date(days[0]!).getUTCDay() + 6 - firstWeekday + DAYS_A_WEEK) % DAYS_A_WEEK;
  const cells = [...Array<null>(before).fill(null), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / DAYS_A_WEEK) }, (_, week) =>
    cells.slice(week * DAYS_A_WEEK, (week + 1) * DAYS_A_WEEK),
  );
  const last = weeks.at(-1)!;
  return [...weeks.slice(0, -1), [...last, ...Array<null>(DAYS_A_WEEK - last.length).fill(null)]];
}

function Turn({ to, icon, label }: { to: string | undefined; icon: 'previous' | 'next'; label: string }) {
  if (!to) return <span class="turn" />;
  return (
    <a class="turn" href={to} aria-label={label}>
      <Icon name={icon} />
    </a>
  );
}

/** A month as a table: days with a free time are links, the others are text. */
export function MonthTable({ of, place, onDay, onMonth }: { of: OfferedMonth; place: Place } & Links) {
  const { month, days, free, day: shown, today, previous, next } = of;
  const words = useWords();
  const { currency } = place;
  const name = words.month(month, currency);
  return (
    <div class="month">
      <div class="month-title">
        <Turn to={previous && onMonth(previous)} icon="previous" label={words.say('payer.previous_month')} />
        <h2>{name}</h2>
        <Turn to={next && onMonth(next)} icon="next" label={words.say('payer.next_month')} />
      </div>
      <table>
        <caption class="hidden">{name}</caption>
        <thead>
          <tr>
            {words.weekdays(currency).map(({ short, long }) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {splitWeeks(days, words.firstWeekday(currency)).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((day, n) => (
                <td key={n} class={day === today ? 'today' : undefined}>
                  {day &&
                    (free.has(day) ? (
                      <a
                        href={onDay(day)}
                        aria-label={formatFreeDay(words, day, place)}
                        aria-current={day === shown ? 'true' : undefined}
                      >
                        {Number(day.slice(8))}
                      </a>
                    ) : (
                      <span class={day === shown ? 'shown' : undefined}>{Number(day.slice(8))}</span>
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
