import { documentNumberOf } from '../../../domain/invoice-document.js';
import { movementOf } from '../invoice-facts.js';
import { Documents } from '../documents.js';
import { findUnsettledChange, hadPendingChange } from '../../../db/queries/bookings/booking-change.js';
import { findBookingMoney } from '../../../db/queries/billing/booking-money.js';
import { listInvoiceMoney, type InvoiceMoney } from '../../../db/queries/billing/invoice-money.js';
import { findInvoiceById, type InvoiceRow } from '../../../db/queries/billing/invoice.js';
import { listBookingDocuments } from '../../../db/queries/billing/invoice-document.js';
import { listRefunds } from '../../../db/queries/billing/refund.js';
import type { Room } from '../../../db/entities/rooms.js';
import { arrivalOf } from '../../../domain/arrival.js';
import { whyNotCancel } from '../../../domain/booking-cancellation.js';
import { whyNotChange } from '../../../domain/booking-change.js';
import { describeMoney } from '../../../domain/booking-money.js';
import { whyNotAnotherChange, type UnsettledChange } from '../../../domain/pending-change.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { formatsIn } from '../../ui/formats.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { amountOf, ArrivalNotes, BookAgain, Contact, Facts, factsOf, RefundTerms } from '../../ui/parts.js';
import { findPayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { Managed } from './access.js';
import { hasExtras } from './extras.js';
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
  extras: 'The extras of your booking have been changed. We’ve emailed you the amounts.',
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
    const documents = invoice ? await listBookingDocuments(db.manager, booking) : [];
    const refunds = invoice ? await listRefunds(db.manager, { booking_id: booking.id }) : [];
    const moved = invoice ? await listInvoiceMoney(db.manager, invoice.id) : [];
    const isUnpaid = booking.account_days !== null && moved.length === 0;
    const isOver = booking.status === 'cancelled' || booking.status === 'expired';
    const money = isOver
      ? describeMoney(await findBookingMoney(db.manager, booking.id), workspace.name, ({ amount_minor }) =>
          amountOf(amount_minor, booking.currency),
        )
      : [];
    const lostMove = booking.status === 'cancelled' && (await hadPendingChange(db.manager, booking.id));
    const done = DONE[String(ctx.query.done ?? '')];
    showPage(ctx, 200, {
      title: hasLapsed(booking) ? 'Your hold has expired' : TITLES[booking.status],
      mark: isOver || hasLapsed(booking) ? 'bad' : booking.status === 'pending_payment' ? 'waiting' : 'good',
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
          <Facts of={[...factsOf(booking, workspace.name), ...paymentOf(booking, invoice, moved)]} />
          <ArrivalNotes of={arrivalOf(booking.status, room)} />
          {booking.status === 'confirmed' && (
            <a class="button" href={`${path}/booking.ics`}>
              Add to calendar
            </a>
          )}
          <Documents documents={documents} refunds={refunds} path={path} currency={booking.currency} />
          <Choices
            managed={managed}
            room={room}
            unsettled={unsettled}
            isUnpaid={isUnpaid}
            hasExtras={await hasExtras(deps, managed)}
          />
          {isOver && <BookAgain at={workspace} />}
          <Contact of={workspace} />
        </>
      ),
    });
  };

/** How a live booking was paid, and what is still due. */
function paymentOf(
  { status, price_minor, currency, time_zone }: Managed['booking'],
  invoice: InvoiceRow | null,
  moved: InvoiceMoney[],
): [term: string, value: string][] {
  if ((status !== 'confirmed' && status !== 'completed') || price_minor === 0 || !invoice) return [];
  const { day } = formatsIn({ currency, time_zone });
  const outstanding = outstandingOf(invoice);
  return [
    ...moved.map((each): [string, string] => [movementOf(each, day), amountOf(each.amount_minor, currency)]),
    ...(outstanding > 0
      ? [
          [
            'To pay',
            `${amountOf(outstanding, currency)} by ${day(invoice.due_at)}, on account (${documentNumberOf(invoice)})`,
          ] as [string, string],
        ]
      : []),
  ];
}

/** Its hold is over, and nobody knows yet whether it was paid in time. */
const hasLapsed = ({ status, expires_at }: Managed['booking']): boolean =>
  status === 'pending_payment' && expires_at !== null && expires_at <= new Date();

function PayNow({ managed: { booking } }: { managed: Managed }) {
  const { expires_at, checkout_url } = booking;
  if (!expires_at || !checkout_url) return null;
  if (hasLapsed(booking))
    return (
      <>
        <p>
          The room was held for you until {formatsIn(booking).moment(expires_at)}. If you paid before then,
          we’ll email you the confirmation.
        </p>
        <BookAgain at={booking.workspace} />
      </>
    );
  return (
    <>
      <p>The room is held for you until {formatsIn(booking).moment(expires_at)}.</p>
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
  isUnpaid,
  hasExtras,
}: {
  managed: Managed;
  room: Room;
  unsettled: UnsettledChange | null;
  /** It is on account, and nothing has been paid. */
  isUnpaid: boolean;
  /** There are extras to choose from. */
  hasExtras: boolean;
}) {
  const { booking, path } = managed;
  const { workspace } = booking;
  const now = new Date();
  if (whyNotCancel(booking, now)) return null;
  const hasPrice = booking.status === 'confirmed' && booking.price_minor > 0;
  const isMovable =
    !whyNotAnotherChange(unsettled) && !whyNotChange(booking, room, now.getTime(), { moves: true });
  return (
    <>
      {hasPrice && (
        <RefundTerms
          steps={room.refund_steps}
          cap={Number(booking.refund_percent_cap)}
          booking={booking}
          is_unpaid={isUnpaid}
        />
      )}
      {booking.room.self_service ? (
        <>
          {isMovable && (
            <a class="button plain" href={`${path}/move`}>
              Move booking
            </a>
          )}
          {isMovable && hasExtras && (
            <a class="button plain" href={`${path}/extras`}>
              Change extras
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
