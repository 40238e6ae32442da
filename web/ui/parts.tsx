import type { Arrival } from '../../domain/arrival.js';
import { capInWords, ownTermsInWords, refundsInWords } from '../../domain/refund-words.js';
import { extrasIn, linesOf, type PricedBooking } from '../../domain/price-lines.js';
import { factsOfPrice } from '../../domain/price-words.js';
import type { RefundStep } from '../../domain/refund-policy.js';
import { formatClock, formatMoney, formatZonedSpan, localeOf } from '../../domain/display.js';

/** Terms with their values. */
export function Facts({ of }: { of: readonly (readonly [term: string, value: string])[] }) {
  return (
    <dl>
      {of.map(([term, value], n) => (
        <div key={n}>
          <dt>{term}</dt>
          <dd>{value}</dd>
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

/** An amount as the processor's checkout shows it: `£30.00`. */
export const amountOf = (amount_minor: number, currency: string): string =>
  formatMoney({ amount_minor, currency });

/** `Tue 24 Nov, 10:00–11:00 (Europe/London)`. */
export const timeOf = (
  booking: Pick<ShownBooking, 'start_at' | 'end_at' | 'time_zone' | 'currency'>,
): string => formatZonedSpan(booking, new Date());

/** `10:00`, the end of a hold, in the zone that the facts of the booking name. */
export const endOf = (
  at: Date,
  { time_zone, currency }: Pick<ShownBooking, 'time_zone' | 'currency'>,
): string => formatClock(at, time_zone, localeOf({ currency }));

/** What was booked, where, when and for how much, with its lines if it has several. */
export const factsOf = (
  booking: ShownBooking & PricedBooking,
  workspaceName: string,
): (readonly [term: string, value: string])[] => [
  ['Booked with', workspaceName],
  ['Room', booking.room_name],
  ['Time', timeOf(booking)],
  ...factsOfPrice({ ...booking, lines: linesOf(booking) }, (minor) => amountOf(minor, booking.currency)),
  ['Price', amountOf(booking.price_minor, booking.currency)],
  ['Reference', booking.reference],
  ['Booking', booking.id],
];

/** What a booker is told of a room, as far as it is known; to others only in part or not at all. */
export const arrivalFacts = ({
  address,
  directions,
  access_notes,
}: Arrival): [term: string, value: string][] =>
  (
    [
      ['Address', address],
      ['Directions', directions],
      ['How to get in', access_notes],
    ] as const
  ).flatMap(([term, value]) => (value?.trim() ? [[term, value.trim()]] : []));

/** The same for its booker, whose pages are narrow. */
export const ArrivalNotes = ({ of }: { of: Arrival }) => (
  <>
    {arrivalFacts(of).map(([term, value]) => (
      <section key={term}>
        <h2>{term}</h2>
        <p class="lines">{value}</p>
      </section>
    ))}
  </>
);

/** What a cancellation of a booking refunds, or leaves due, by its time. `cap`: as in `capInWords`. */
export function RefundTerms(props: {
  steps: RefundStep[];
  cap: number;
  booking: ShownBooking & Pick<PricedBooking, 'pricing'>;
  is_unpaid?: boolean;
}) {
  const { steps, cap, booking, is_unpaid } = props;
  const changed = is_unpaid ? null : capInWords(cap);
  const when = { ...booking, is_unpaid, now: new Date() };
  return (
    <>
      <h2>If you cancel</h2>
      <ul>
        {[...refundsInWords(steps, when), ...ownTermsInWords(extrasIn(booking), when)].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {changed && <li>{changed}</li>}
      </ul>
    </>
  );
}

/** The way to another booking of a workspace. */
export const BookAgain = ({
  at: { name, booking_url },
}: {
  at: { name: string; booking_url: string | null };
}) =>
  booking_url ? (
    <a class="button" href={booking_url}>
      Book again
    </a>
  ) : (
    <p>To book again, contact {name}.</p>
  );

/** Whom to ask; nothing without an address. */
export function Contact({
  of: { name, contact_email },
}: {
  of: { name: string; contact_email: string | null };
}) {
  if (!contact_email) return null;
  return (
    <p>
      Questions? Contact {name} at <a href={`mailto:${contact_email}`}>{contact_email}</a>.
    </p>
  );
}
