import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import { describeMovement } from '../invoice-facts.js';
import { Documents } from '../documents.js';
import { findUnsettledChange, hadPendingChange } from '../../../db/queries/bookings/booking-change.js';
import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import { listInvoiceMoney, type InvoiceMoney } from '../../../db/queries/invoices/money.js';
import { findInvoiceById, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { listBookingDocuments } from '../../../db/queries/invoices/document.js';
import { listRefunds } from '../../../db/queries/payments/refund.js';
import type { Room } from '../../../db/entities/rooms.js';
import { visibleArrival } from '../../../domain/rooms/arrival.js';
import { whyNotCancel } from '../../../domain/bookings/cancellation.js';
import { whyNotChange } from '../../../domain/bookings/change.js';
import { describeDisputed, describeMoney, isUnpaidOnAccount } from '../../../domain/bookings/money.js';
import { hasHoldLapsed } from '../../../domain/bookings/state.js';
import { whyNotAnotherChange, type UnsettledChange } from '../../../domain/bookings/pending-change.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { WordKey, Words } from '../../../domain/words/words.js';
import { useWords, wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { ArrivalNotes, BookAgain, Booked, BookingFacts, Contact, RefundTerms } from '../../ui/parts.js';
import { findPayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { Managed } from './access.js';
import { hasExtras } from './extras.js';
import { describeUnmovable } from './move.js';
import { describeChange, PendingChange } from './pending-change.js';

const TITLES = {
  pending_payment: 'payer.not_paid_yet',
  confirmed: 'payer.confirmed',
  completed: 'payer.ended',
  cancelled: 'payer.cancelled',
  expired: 'payer.expired',
} as const satisfies Record<Managed['booking']['status'], WordKey>;

/** The outcomes that other pages redirect here with, by their name in the query. */
const DONE = ['withdrawn', 'moved', 'extras', 'same', 'cancelled'] as const;

/** `GET /manage/:token` shows the booking and changes nothing, because mail clients open links too. */
export const showBooking =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { db } = deps;
    const { booking, path } = managed;
    const { room, workspace } = booking;
    const words = wordsIn(ctx);
    const pending = await findPayableChange(deps, booking.id);
    const unsettled = await findUnsettledChange(db.manager, booking.id);
    const invoice = booking.invoice_id ? await findInvoiceById(db.manager, booking.invoice_id) : null;
    const documents = invoice ? await listBookingDocuments(db.manager, booking) : [];
    const refunds = invoice ? await listRefunds(db.manager, { booking_id: booking.id }) : [];
    const moved = invoice ? await listInvoiceMoney(db.manager, invoice.id) : [];
    const isOver = booking.status === 'cancelled' || booking.status === 'expired';
    const received = await findBookingMoney(db.manager, booking.id);
    const amount = (minor: number): string => words.amount(minor, booking.currency);
    const money = isOver
      ? describeMoney(words, received, workspace.name)
      : describeDisputed(words, received.paid, amount);
    const lostChange = booking.status === 'cancelled' && (await hadPendingChange(db.manager, booking.id));
    const hasLapsed = hasHoldLapsed(booking, new Date());
    const done = DONE.find((each) => each === ctx.query.done);
    showPage(ctx, 200, {
      title: words.say(hasLapsed ? 'payer.hold_expired' : TITLES[booking.status]),
      mark: isOver || hasLapsed ? 'bad' : booking.status === 'pending_payment' ? 'waiting' : 'good',
      children: (
        <>
          {done && <p role="status">{words.say(`payer.done_${done}`)}</p>}
          {money.length > 0 && <p>{money.join(' ')}</p>}
          {lostChange && <p>{words.say('payer.lost_change')}</p>}
          {booking.status === 'pending_payment' && <PayNow managed={managed} />}
          {pending && (
            <PendingChange
              managed={managed}
              pending={pending}
              to={await describeChange(deps, words, booking, pending)}
            />
          )}
          <Booked booking={booking} payee={workspace.name} />
          {booking.status === 'confirmed' && (
            <a class="button" href={`${path}/booking.ics`}>
              {words.say('payer.add_to_calendar')}
            </a>
          )}
          <ArrivalNotes of={visibleArrival(booking.status, room)} />
          <BookingFacts booking={booking} more={describePayment(words, booking, invoice, moved)} />
          <Documents documents={documents} refunds={refunds} path={path} currency={booking.currency} />
          <Choices
            managed={managed}
            room={room}
            unsettled={unsettled}
            isUnpaid={isUnpaidOnAccount(received)}
            hasExtras={await hasExtras(deps, managed)}
          />
          {isOver && <BookAgain at={workspace} />}
          <Contact of={workspace} />
        </>
      ),
    });
  };

/** How a live booking was paid, and what is still due. */
function describePayment(
  words: Words,
  { status, price_minor, currency, time_zone }: Managed['booking'],
  invoice: InvoiceRow | null,
  moved: InvoiceMoney[],
): [term: string, value: string][] {
  if ((status !== 'confirmed' && status !== 'completed') || price_minor === 0 || !invoice) return [];
  const day = (at: Date): string => words.day(at, { currency, time_zone });
  const outstanding = outstandingMinor(invoice);
  return [
    ...moved.map((each): [string, string] => [
      describeMovement(words, each, day),
      words.amount(each.amount_minor, currency),
    ]),
    ...(outstanding > 0
      ? [
          [
            words.say('payer.to_pay'),
            words.say('payer.to_pay_on_account', {
              amount: words.amount(outstanding, currency),
              day: day(invoice.due_at),
              number: nameOfInvoice(invoice),
            }),
          ] as [string, string],
        ]
      : []),
  ];
}

function PayNow({ managed: { booking } }: { managed: Managed }) {
  const words = useWords();
  const { expires_at, checkout_url } = booking;
  if (!expires_at || !checkout_url) return null;
  const time = words.deadline(expires_at, booking);
  if (hasHoldLapsed(booking, new Date()))
    return (
      <>
        <p>{words.say('payer.hold_ended', { time })}</p>
        <BookAgain at={booking.workspace} />
      </>
    );
  return (
    <>
      <p>{words.say('payer.held_until', { time })}</p>
      <a class="button" href={checkout_url}>
        {words.say('payer.continue_to_payment')}
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
  /** A booking on account that is not paid. */
  isUnpaid: boolean;
  hasExtras: boolean;
}) {
  const { booking, path } = managed;
  const { workspace } = booking;
  const words = useWords();
  const now = new Date();
  if (whyNotCancel(booking, now)) return null;
  const hasTerms = booking.status === 'confirmed' && booking.start_at > now && booking.price_minor > 0;
  const refusal = whyNotChange(booking, room, now.getTime(), { moves: true });
  const isMovable = !whyNotAnotherChange(unsettled) && !refusal;
  return (
    <>
      {hasTerms && (
        <RefundTerms
          steps={room.refund_steps}
          cap={Number(booking.refund_percent_cap)}
          booking={booking}
          extras={extrasIn(booking)}
          is_unpaid={isUnpaid}
        />
      )}
      {booking.room.self_service ? (
        <>
          {refusal && booking.status === 'confirmed' && <p>{describeUnmovable(words, refusal.details)}</p>}
          {isMovable && (
            <a class="button plain" href={`${path}/move`}>
              {words.say('payer.move_booking')}
            </a>
          )}
          {isMovable && hasExtras && (
            <a class="button plain" href={`${path}/extras`}>
              {words.say('payer.change_extras')}
            </a>
          )}
          <a class="button plain" href={`${path}/cancel`}>
            {words.say('payer.cancel_booking')}
          </a>
        </>
      ) : (
        <p>{words.say('payer.contact_to_change', { name: workspace.name })}</p>
      )}
    </>
  );
}
