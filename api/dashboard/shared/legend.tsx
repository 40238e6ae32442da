import type { BookingStatus, InvoiceStatus, MemberStatus, PaymentStatus } from '../../../domain/states.js';
import { Status } from './layout.js';

/** What the statuses of each kind of object mean. */
const LEGENDS = {
  booking: {
    pending_payment: 'The slot is held while the payer pays.',
    confirmed: 'Paid, free, or on account.',
    running: 'Confirmed, and its time is now.',
    completed: 'Its time is over.',
    no_show: 'Completed or running, and nobody came.',
    cancelled: 'Cancelled by the payer or by you; the slot is free.',
    expired: 'Not paid in time; the slot is free.',
  } satisfies Record<BookingStatus | 'running' | 'no_show', string>,
  invoice: {
    draft: 'Not issued yet.',
    open: 'Issued, not paid or paid in part.',
    authorised: 'Issued, and approved in the accounting system.',
    paid: 'Paid in full.',
    refunded: 'Paid, and all of it given back.',
    void: 'Ended unpaid; nothing is due.',
    cancelled: 'Never issued: its payer left before.',
  } satisfies Record<InvoiceStatus, string>,
  payment: {
    pending: 'A refund that the payment processor has not finished.',
    succeeded: 'The money has arrived.',
    failed: 'No money moved: a refused charge, or a refund that the payer did not get.',
    partially_refunded: 'A part was given back.',
    refunded: 'All of it was given back.',
    disputed: "The payer's bank has taken money of it for a dispute.",
  } satisfies Record<PaymentStatus, string>,
  member: {
    invited: 'Has not accepted the invite yet.',
    trialing: 'In a free trial.',
    active: 'A member who is invoiced.',
    paused: 'Keeps their access, and is not invoiced.',
    cancelled: 'Has ended their membership.',
    archived: 'Has left, and cannot sign in.',
  } satisfies Record<Exclude<MemberStatus, 'deleted'>, string>,
  delivery: {
    delivered: 'The receiver answered with 2xx.',
    waiting: 'Queued, or tried again after a failure.',
    failed: 'Every attempt failed.',
    not_sent: 'There was no endpoint that wanted it; the reason is beside it.',
  },
};

/** The statuses of a list, explained. It is closed until it is needed. */
export function Legend({ of }: { of: keyof typeof LEGENDS }) {
  return (
    <details class="statuses">
      <summary>What the statuses mean</summary>
      <dl class="facts">
        {Object.entries(LEGENDS[of]).map(([status, meaning]) => (
          <>
            <dt>
              <Status value={status} />
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}
