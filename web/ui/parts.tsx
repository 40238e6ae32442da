import { capInWords, refundsInWords } from '../../domain/refund-words.js';
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

/** `10:00 (Europe/London)`, the end of a hold. */
export const endOf = (
  at: Date,
  { time_zone, currency }: Pick<ShownBooking, 'time_zone' | 'currency'>,
): string => `${formatClock(at, time_zone, localeOf({ currency }))} (${time_zone})`;

/** What was booked, where, when and for how much. */
export const factsOf = (booking: ShownBooking, workspaceName: string): [term: string, value: string][] => [
  ['Booked with', workspaceName],
  ['Room', booking.room_name],
  ['Time', timeOf(booking)],
  ['Price', amountOf(booking.price_minor, booking.currency)],
  ['Booking', booking.id],
];

/** What a cancellation of a booking refunds, by its time. `cap`: as in `capInWords`. */
export function RefundTerms(props: { steps: RefundStep[]; cap: number; booking: ShownBooking }) {
  const { steps, cap, booking } = props;
  const changed = capInWords(cap);
  return (
    <>
      <h2>If you cancel</h2>
      <ul>
        {refundsInWords(steps, { ...booking, now: new Date() }).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {changed && <li>{changed}</li>}
      </ul>
    </>
  );
}

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
