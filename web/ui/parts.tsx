import type { Arrival } from '../../domain/rooms/arrival.js';
import { describeTerms, type TermsOfExtra } from '../../domain/bookings/refund-words.js';
import type { RefundCap } from '../../domain/bookings/refund-shares.js';
import { bookingLines, type PricedBooking } from '../../domain/rates/price-lines.js';
import { factsOfPrice } from '../../domain/rates/price-words.js';
import type { RefundStep } from '../../domain/bookings/refund-policy.js';
import type { Words } from '../../domain/words/words.js';
import { useWords } from './language.js';

/** Values up to this length, such as amounts, do not wrap. */
const SHORT = 18;

export function FactList({ of }: { of: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl>
      {of.map(([term, value], n) => (
        <div key={n}>
          <dt>{term}</dt>
          <dd class={value.length <= SHORT ? 'short' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A booking as its payer's pages describe it. */
export interface ShownBooking {
  id: string;
  reference: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  currency: string;
  price_minor: number;
}

/** What was booked and when, before everything else on the pages about it. */
export function Booked({ booking, payee }: { booking: ShownBooking; payee: string }) {
  const words = useWords();
  return (
    <div class="booked">
      <p class="when">{words.time(booking)}</p>
      <p>
        <bdi>{booking.room_name}</bdi> · <bdi>{payee}</bdi>
      </p>
    </div>
  );
}

/** What a booking costs, and its reference. `more`: how it was paid. */
export function BookingFacts(props: {
  booking: ShownBooking & PricedBooking;
  more?: readonly (readonly [term: string, value: string])[];
}) {
  const { booking, more = [] } = props;
  const words = useWords();
  const amount = (minor: number): string => words.amount(minor, booking.currency);
  return (
    <FactList
      of={[
        ...factsOfPrice(words, { ...booking, lines: bookingLines(booking) }, amount),
        [words.say('payer.price'), amount(booking.price_minor)],
        ...more,
        [words.say('payer.reference'), booking.reference],
      ]}
    />
  );
}

/** What bookers are told about a room. Others see only part of it or nothing. */
export const arrivalFacts = (
  words: Words,
  { address, directions, access_notes }: Arrival,
): [term: string, value: string][] =>
  (
    [
      [words.say('payer.address'), address],
      [words.say('payer.directions'), directions],
      [words.say('payer.access'), access_notes],
    ] as const
  ).flatMap(([term, value]) => (value?.trim() ? [[term, value.trim()]] : []));

/** The same for its booker, whose pages are narrow. */
export function ArrivalNotes({ of }: { of: Arrival }) {
  return arrivalFacts(useWords(), of).map(([term, value]) => (
    <section key={term}>
      <h2>{term}</h2>
      <p class="lines">{value}</p>
    </section>
  ));
}

/** What a cancellation refunds or leaves due, depending on its time. `cap`: as in `describeCap`. */
export function RefundTerms(props: {
  steps: RefundStep[];
  cap?: number;
  booking: Pick<ShownBooking, 'start_at' | 'time_zone' | 'currency'> & { refund_caps?: RefundCap[] | null };
  extras: TermsOfExtra[];
  is_unpaid?: boolean;
}) {
  const { booking, is_unpaid } = props;
  const words = useWords();
  return (
    <>
      <h2>{words.say('payer.cancellation')}</h2>
      <ul>
        {describeTerms(words, props, { ...booking, is_unpaid, now: new Date() }).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

/** The way to another booking of a workspace. */
export function BookAgain({
  at: { name, booking_url },
}: {
  at: { name: string; booking_url: string | null };
}) {
  const words = useWords();
  if (!booking_url) return <p>{words.say('payer.contact_to_book_again', { name })}</p>;
  return (
    <a class="button" href={booking_url}>
      {words.say('payer.book_again')}
    </a>
  );
}

export function Contact({
  of: { name, contact_email: email },
}: {
  of: { name: string; contact_email: string | null };
}) {
  const words = useWords();
  if (!email) return null;
  const mail = (text: string) => <a href={`mailto:${email}`}>{text}</a>;
  return <p>{words.rich('payer.questions', { mail }, { name, email })}</p>;
}
