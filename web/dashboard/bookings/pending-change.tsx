import { changesPlace } from '../../../domain/bookings/change.js';
import { formatExtras, sameExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { WAITING_CHANGE } from '../../../domain/bookings/state.js';
import { CopyLink } from '../../ui/copy.js';
import type { PendingChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { Room } from '../../../db/entities/rooms.js';
import { deletePendingChange } from '../../../api/resources/bookings/pending-change.js';
import type { ApiContext } from '../../../api/http/context.js';
import { form } from '../forms/form.js';
import { FactCard } from '../shared/action.js';
import { createFormats, sentenceCase } from '../../ui/formats.js';
import { Countdown } from '../shared/booking-table.js';
import { linkMailStatus, type LinkMail } from './link-mail.js';
import { onBooking } from './booking-in-path.js';
import { takePaymentForm } from './take-payment.js';

const withdraw = form(
  deletePendingChange,
  {},
  {
    path: '/withdraw-change',
    button: 'Withdraw change',
    rare: true,
    notice: () => 'Change withdrawn. The booking is unchanged, and nothing was charged.',
  },
);

/** The forms about the open payment of a booking or its change. */
export const payingForms = [withdraw, takePaymentForm];

/** The payer's link, to open or to copy, and whether the service has mailed it or will. */
export function PaymentPage(props: {
  url: string;
  mail: LinkMail;
  /** The reader is the payer, not staff. */
  isBooker: boolean;
}) {
  const { url, mail, isBooker } = props;
  return (
    <>
      <a href={url}>Open payment page</a>
      {mail === 'sent' && <small>Emailed to {isBooker ? 'you' : 'the booker'}.</small>}
      {mail === 'queued' && (
        <small>
          {isBooker
            ? 'You also get it by email in about a minute, if you have not paid by then.'
            : 'The booker gets it by email in about a minute, if they have not paid by then.'}
        </small>
      )}
      <CopyLink id="payment_url" label="Payment page" url={url} />
    </>
  );
}

interface Props {
  ctx: ApiContext;
  booking: BookingRow;
  pending: PendingChange;
  room: Pick<Room, 'name' | 'time_zone'>;
  timeline: TimelineEntry[];
  /** The reader may take payments at the desk. */
  takes_payments: boolean;
}

/** A change that waits for its payer: what it is, its link, its amount, its end, and its withdrawal. */
export function PendingChangeCard({ ctx, booking, pending, room, timeline, takes_payments }: Props) {
  const { amount, deadline, span } = createFormats(ctx, booking.time_zone);
  const { plan, amount_minor, checkout_url, expires_at } = pending;
  const move = plan.move!;
  const then = {
    start_at: new Date(move.start_at),
    end_at: new Date(move.end_at),
    time_zone: room.time_zone,
  };
  const isMoved = changesPlace(booking, move);
  const extras = extrasIn({ pricing: move.pricing ?? null });
  return (
    <section id="pending-change">
      <h2>{sentenceCase(WAITING_CHANGE)}</h2>
      <p class="soft">
        {isMoved ? 'Both slots are held' : 'The slot and the new extras are held'} until the change is paid or
        withdrawn, or lapses.
      </p>
      <FactCard
        of={[
          isMoved && ['New time', `${room.name}, ${span(then)}`],
          !sameExtras(extras, extrasIn(booking)) && ['New extras', formatExtras(extras) || 'none'],
          ['Amount due', amount(amount_minor, booking.currency)],
          expires_at && [
            'Lapses at',
            <>
              {deadline(expires_at)} <Countdown until={expires_at} />
            </>,
          ],
          checkout_url && [
            'Payment page',
            <PaymentPage
              url={checkout_url}
              mail={linkMailStatus(timeline, { kind: 'booking_change_pending', about: pending.id })}
              isBooker={!takes_payments}
            />,
          ],
        ]}
      />
      <div class="actions">
        <withdraw.Drawer page={onBooking(ctx, { booking })} quiet>
          <p class="soft">
            The link stops working and the booking stays as it is. A payment that arrives later is refunded in
            full.
          </p>
        </withdraw.Drawer>
      </div>
    </section>
  );
}
