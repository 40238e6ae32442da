import type { BookingState } from '../../../domain/bookings/state.js';
import type { InvoiceStatus, MemberStatus, PaymentStatus } from '../../../domain/states.js';
import { Menu } from './menu.js';
import { Status } from './status.js';

const LEGENDS = {
  booking: {
    pending_payment: 'The slot is held while the payer pays.',
    confirmed: 'Paid, free, or on account.',
    running: 'Confirmed and in progress.',
    completed: 'The booked time has ended.',
    no_show: 'Nobody showed up.',
    cancelled: 'Cancelled by the booker or by you; the slot is free.',
    expired: 'Not paid in time; the slot is free.',
  } satisfies Record<BookingState, string>,
  invoice: {
    draft: 'Not issued yet.',
    open: 'Issued; unpaid or partly paid.',
    authorised: 'Issued and approved in the accounting system.',
    paid: 'Paid in full.',
    refunded: 'Paid, then refunded in full.',
    void: 'Cancelled after it was issued; nothing is due.',
    cancelled: 'Cancelled before it was issued.',
  } satisfies Record<InvoiceStatus, string>,
  payment: {
    pending: 'A refund in progress in Stripe.',
    succeeded: 'Payment received, or refund completed.',
    failed: 'A declined charge, or a refund that did not reach the payer.',
    partially_refunded: 'Part of it was refunded.',
    refunded: 'All of it was refunded.',
    disputed: 'The payer’s bank disputes it and has withdrawn the money.',
  } satisfies Record<PaymentStatus, string>,
  member: {
    invited: 'Has not accepted the invite yet.',
    trialing: 'In a free trial.',
    active: 'A current member; invoiced.',
    paused: 'Keeps access; not invoiced.',
    cancelled: 'Membership ended.',
    archived: 'Left; cannot sign in.',
  } satisfies Record<Exclude<MemberStatus, 'deleted'>, string>,
  delivery: {
    delivered: 'The endpoint responded with a 2xx status.',
    waiting: 'Queued, or to be retried after a failure.',
    failed: 'Every attempt failed.',
    not_sent: 'Not subscribed, no endpoint, or endpoint disabled; the reason is shown next to it.',
  },
};

/** The statuses of a list, explained when somebody asks. */
export function Legend({ of }: { of: keyof typeof LEGENDS }) {
  return (
    <div class="links">
      <Menu id="statuses" label="What statuses mean">
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
      </Menu>
    </div>
  );
}
