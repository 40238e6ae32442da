import { findUnsettledChange, hadPendingChange } from '../../../db/queries/bookings/booking-change.js';
import { findBookingMoney } from '../../../db/queries/billing/booking-money.js';
import { findInvoiceById, type InvoiceRow } from '../../../db/queries/billing/invoice.js';
import { listRefundDocuments } from '../../../db/queries/billing/refund.js';
import type { Room } from '../../../db/entities/rooms.js';
import { wasPaid } from '../../../domain/invoice.js';
import { whyNotCancel } from '../../../domain/booking-cancellation.js';
import { whyNotChange } from '../../../domain/booking-change.js';
import { describeMoney } from '../../../domain/booking-money.js';
import { whyNotAnotherChange, type UnsettledChange } from '../../../domain/pending-change.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { formatsIn } from '../../ui/formats.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { amountOf, Contact, Facts, factsOf, RefundTerms } from '../../ui/parts.js';
import { findPayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { Managed } from './access.js';
import { PendingChange } from './pending-change.js';

const TITLES: Record<Managed['booking']['status'], string> = {
  pending_payment: 'Your booking is not paid yet',
  confirmed: 'Your booking is confirmed',
  completed: 'Your booking has ended',
  cancelled: 'Your booking has been cancelled',
  expired: 'Your booking has expired',
};

const DONE: Record<string, string> = {
  withdrawn: 'The change has been withdrawn. Your booking has not changed.',
  moved: 'Your booking has been moved. We’ve emailed you the new time and the amounts.',
  same: 'Your booking is at this time already. Nothing has changed.',
  cancelled: 'We’ve emailed you a confirmation of the cancellation.',
};

/** `GET /manage/:token` shows the booking and changes nothing, since mail programs open links too. */
export const showBooking =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { db } = deps;
    const { booking, path } = managed;
    const { room, workspace } = booking;
    const pending = await findPayableChange(deps, booking.id);
    const unsettled = await findUnsettledChange(db.manager, booking.id);
    const invoice = booking.invoice_id ? await findInvoiceById(db.manager, booking.invoice_id) : null;
    const refunds = invoice ? await listRefundDocuments(db.manager, { booking_id: booking.id }) : [];
    const hasReceipt = invoice !== null && wasPaid(invoice);
    const isOver = booking.status === 'cancelled' || booking.status === 'expired';
    const money = isOver
      ? describeMoney(await findBookingMoney(db.manager, booking.id), workspace.name, ({ amount_minor }) =>
          amountOf(amount_minor, booking.currency),
        )
      : [];
    const lostMove = booking.status === 'cancelled' && (await hadPendingChange(db.manager, booking.id));
    const done = DONE[String(ctx.query.done ?? '')];
    showPage(ctx, 200, {
      title: TITLES[booking.status],
      mark: isOver ? 'bad' : booking.status === 'pending_payment' ? 'waiting' : 'good',
      children: (
        <>
          {done && <p role="status">{done}</p>}
          {money.length > 0 && <p>{money.join(' ')}</p>}
          {lostMove && (
            <p>
              The move that was not paid yet has been withdrawn. A payment for it that still arrives is
              refunded in full.
            </p>
          )}
          {booking.status === 'pending_payment' && <PayNow managed={managed} />}
          {pending && <PendingChange managed={managed} pending={pending} />}
          <Facts of={[...factsOf(booking, workspace.name), ...paymentOf(booking, invoice)]} />
          {booking.status === 'confirmed' && (
            <a class="button" href={`${path}/booking.ics`}>
              Add to calendar
            </a>
          )}
          {hasReceipt && (
            <p>
              <a href={`${path}/receipt.pdf`}>Receipt (PDF)</a>
            </p>
          )}
          {refunds.map(({ id, amount_minor }) => (
            <p key={id}>
              <a href={`${path}/refunds/${id}.pdf`}>
                Refund of {amountOf(amount_minor, booking.currency)} (PDF)
              </a>
            </p>
          ))}
          <Choices managed={managed} room={room} unsettled={unsettled} />
          {isOver && workspace.booking_url && (
            <a class="button" href={workspace.booking_url}>
              Book again
            </a>
          )}
          <Contact of={workspace} />
        </>
      ),
    });
  };

/** How a live booking is paid. */
function paymentOf(
  { status, price_minor, currency, time_zone }: Managed['booking'],
  invoice: InvoiceRow | null,
): [term: string, value: string][] {
  if ((status !== 'confirmed' && status !== 'completed') || price_minor === 0 || !invoice) return [];
  const outstanding = outstandingOf(invoice);
  if (outstanding === 0) return invoice.status === 'paid' ? [['Payment', 'Paid']] : [];
  const due = formatsIn({ currency, time_zone }).day(invoice.due_at);
  return [
    [
      'Payment',
      `On account: ${amountOf(outstanding, currency)} due on ${due}, ${invoice.accounting_reference}`,
    ],
  ];
}

function PayNow({ managed: { booking } }: { managed: Managed }) {
  const { expires_at, checkout_url, time_zone } = booking;
  if (!expires_at || !checkout_url) return null;
  if (expires_at <= new Date())
    return (
      <p>
        The room was held for you until {formatsIn(booking).moment(expires_at)} ({time_zone}). If you paid
        before then, we’ll email you the confirmation. Otherwise, please book again.
      </p>
    );
  return (
    <>
      <p>
        The room is held for you until {formatsIn(booking).moment(expires_at)} ({time_zone}).
      </p>
      <a class="button" href={checkout_url}>
        Continue to payment
      </a>
    </>
  );
}

/** What the payer can do with a live booking, and its refund terms. */
function Choices({
  managed,
  room,
  unsettled,
}: {
  managed: Managed;
  room: Room;
  unsettled: UnsettledChange | null;
}) {
  const { booking, path } = managed;
  const { workspace } = booking;
  const now = new Date();
  if (whyNotCancel(booking, now)) return null;
  const isPaid = booking.status === 'confirmed' && booking.price_minor > 0;
  const isMovable =
    !whyNotAnotherChange(unsettled) && !whyNotChange(booking, room, now.getTime(), { moves: true });
  return (
    <>
      {isPaid && (
        <RefundTerms steps={room.refund_steps} cap={Number(booking.refund_percent_cap)} booking={booking} />
      )}
      {booking.room.self_service ? (
        <>
          {isMovable && (
            <a class="button plain" href={`${path}/move`}>
              Move booking
            </a>
          )}
          <a class="button plain" href={`${path}/cancel`}>
            Cancel booking
          </a>
        </>
      ) : (
        <p>To move or cancel the booking, contact {workspace.name}.</p>
      )}
    </>
  );
}
