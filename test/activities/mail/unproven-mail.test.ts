import test from 'ava';
import type { DataSource } from 'typeorm';
import { cancelBooking } from '../../../commands/bookings/cancel-booking.js';
import { expireBooking } from '../../../commands/bookings/expire-booking.js';
import { insertChange, lockChange } from '../../../commands/bookings/change/plan.js';
import { publishBooking } from '../../../commands/bookings/publish-booking.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { reserveForPublicGuest } from '../../../commands/bookings/public-guests.js';
import type { MailMessage } from '../../../activities/gateways/mail.js';
import { newId } from '../../../db/ids.js';
import type { Room } from '../../../db/entities/rooms.js';
import { transaction } from '../../../db/transaction.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { HOLD_MAILS, type MailKind } from '../../../domain/mail/kinds.js';
import { newPlace, newReservation, withScratchDatabase } from '../../support/scratch-database.js';
import { freeHour } from '../../support/bookings.js';
import { storing } from '../../support/rows.js';
import { createMail } from './mail-calls.js';

/**
 * The recipient of each kind of mail. A new kind does not compile without its line. `payer`: the payer of a
 * booking or of its invoice, which can be an address that a public guest entered. Other mail goes to nobody
 * whom a public guest can choose.
 */
const RECIPIENTS: Record<MailKind, 'payer' | 'member' | 'owner' | 'staff' | 'person'> = {
  booking_held: 'payer',
  booking_to_confirm: 'payer',
  booking_confirmed: 'payer',
  booking_reminder: 'payer',
  booking_change_pending: 'payer',
  booking_changed: 'payer',
  booking_note: 'payer',
  booking_message: 'payer',
  booking_cancelled: 'payer',
  booking_expired: 'payer',
  late_payment_refunded: 'payer',
  payment_refunded: 'payer',
  payment_refund_ended: 'payer',
  payment_refund_returned: 'payer',
  invoice: 'payer',
  invoice_opened: 'payer',
  invoice_reminder: 'payer',
  invoice_paid: 'payer',
  invoice_voided: 'payer',
  invoice_refunded: 'payer',
  invoice_refund_ended: 'payer',
  invoice_refund_returned: 'payer',
  // Payers on account are companies and members.
  monthly_statement: 'member',
  statement: 'member',
  member_invite: 'member',
  member_email_requested: 'member',
  member_email_changed: 'member',
  workspace_created: 'owner',
  webhook_endpoint_disabled: 'owner',
  refund_failed: 'owner',
  refund_unfunded: 'owner',
  payment_disputed: 'owner',
  accounting_failed: 'owner',
  number_given_twice: 'owner',
  database_behind: 'owner',
  accounting_disconnected: 'owner',
  reconciliation_differs: 'owner',
  maintenance_announced: 'owner',
  admin_added: 'owner',
  api_key_created: 'owner',
  webhook_url_changed: 'owner',
  seller_text_changed: 'owner',
  full_discount_saved: 'owner',
  billing_address_changed: 'owner',
  sso_changed: 'owner',
  sso_certificate_expires: 'owner',
  recipients_limited: 'owner',
  mail_held: 'owner',
  staff_booking: 'staff',
  staff_digest: 'staff',
  // Only to addresses that somebody has signed in with, or may accept a membership with.
  sign_in_link: 'person',
  second_factor_enrolled: 'person',
  second_factor_reset: 'person',
  recovery_codes_created: 'person',
  passkey_added: 'person',
  passkey_removed: 'person',
  new_device: 'person',
};
const KINDS = Object.keys(RECIPIENTS) as MailKind[];

/** What a public guest would make the service tell somebody. */
const WORDS = 'Your parcel waits at evil.example';
const VICTIM = 'victim@example.com';

const storeMails = storing('mails', () => ({ next_attempt_at: new Date(), notify_at: new Date() }));

/**
 * Makes a public guest hold the room with `WORDS` in every field they can write in, and publishes the booking
 * if it has a price. Returns its id.
 */
const hold = (scratch: DataSource, room: Room, isFree: boolean): Promise<string> =>
  transaction(scratch, async (tx) => {
    const reservation = newReservation(room, freeHour(), {
      source: 'page',
      guest: { email: VICTIM, name: WORDS },
      notes: WORDS,
      entered: {
        billing: { company: WORDS, vat_number: 'evil.example', order_reference: 'evil.example' },
        answers: [{ id: 'q', label: 'What for?', value: WORDS }],
        terms_version: null,
      },
      ...(isFree
        ? { confirm_until: new Date(Date.now() + HOUR_MS) }
        : { price: { net_minor: 2_500, tax_minor: 500, total_minor: 3_000 }, tax_rate_bps: 2_000 }),
    });
    const bucket = { size: 100, per_minute: 100 };
    const address = '192.0.2.1';
    const id = await reserveForPublicGuest(tx, reservation, {
      address,
      bucket,
      hold_seconds: 900,
      proof: null,
    });
    if (!isFree) await publishBooking(tx, id!, { id: `cs_${id}`, url: 'https://pay.example/1' });
    return id!;
  });

/** How a booking ends that nobody pays or confirms. */
const ENDS: Record<string, (scratch: DataSource, id: string, workspace_id: string) => Promise<unknown>> = {
  unpaid: async () => undefined,
  free: async () => undefined,
  expired: (scratch, id) => transaction(scratch, (tx) => expireBooking(tx, id)),
  cancelled: (scratch, booking_id, workspace_id) =>
    transaction(scratch, async (tx) => {
      const request = { refund_policy: 'standard', notify_attendees: true, reason: WORDS } as const;
      const actor = { guest: booking_id };
      const change = await insertChange(tx, { workspace_id, booking_id, actor, kind: 'cancel', request });
      await cancelBooking(tx, (await lockChange(tx, change)) as never);
    }),
};

/** Queues a mail of each kind that goes to payers or to the workspace, about a booking. */
async function queueAll(scratch: DataSource, workspace_id: string, booking_id: string): Promise<void> {
  const [{ invoice_id }] = await scratch.query(`SELECT invoice_id FROM bookings WHERE id = $1`, [booking_id]);
  await scratch.query(`DELETE FROM mails WHERE workspace_id = $1`, [workspace_id]);
  const queued = KINDS.filter(
    (kind) => RECIPIENTS[kind] !== 'person' && (invoice_id !== null || !kind.startsWith('invoice')),
  );
  await storeMails(
    scratch,
    queued.map((kind) => {
      const isInvoice = kind.startsWith('invoice');
      const isBooking = RECIPIENTS[kind] === 'payer' && !isInvoice && kind !== 'booking_to_confirm';
      const of = isInvoice ? { invoice_id } : isBooking ? { booking_id } : {};
      return { id: newId('mail'), workspace_id, kind, about: isInvoice ? invoice_id : booking_id, ...of };
    }),
  );
}

for (const [end, ends] of Object.entries(ENDS))
  test(`mail of every kind to an address that a public guest entered is not sent, or repeats nothing they wrote: ${end}`, async (t) => {
    await withScratchDatabase(async (scratch) => {
      const room = await newPlace(scratch);
      const { workspace_id } = room;
      await scratch.query(`UPDATE workspaces SET notify_staff = $1`, [
        { created: 'each', changed: 'each', cancelled: 'each' },
      ]);
      const mail = createMail(scratch, 1);
      await mail.add(workspace_id, 'owner@example.com', 'owner');
      const id = await hold(scratch, room, end === 'free');
      await scratch.query(`UPDATE mails SET next_attempt_at = now(), notify_at = now()`);
      await ends(scratch, id, workspace_id);
      await mail.send(workspace_id);
      const byItself = mail.messages.filter(({ to }) => to === VICTIM);
      const isHeld = end === 'unpaid' || end === 'free';
      t.is(byItself.length, isHeld ? 1 : 0, 'the mail about the hold, and none when it ends');

      await queueAll(scratch, workspace_id, id);
      await mail.send(workspace_id);
      const kinds = await mailKinds(scratch, mail.messages);
      t.true(kinds.every((kind) => HOLD_MAILS.some((each) => each === kind)));
      for (const message of mail.messages)
        t.false(messageText(message).includes('evil.example'), message.subject);
      const left: { kind: MailKind }[] = await scratch.query(
        `SELECT kind FROM mails WHERE status NOT IN ('sent', 'skipped')`,
      );
      const waiting = left.filter(({ kind }) => RECIPIENTS[kind] === 'payer');
      t.deepEqual(waiting, [], 'none waits or has failed');

      // The same for a booking that the workspace itself made for a guest: mail queued here would be sent.
      await scratch.query(`UPDATE bookings SET source = 'api'`);
      mail.messages.length = 0;
      await queueAll(scratch, workspace_id, id);
      await mail.send(workspace_id);
      const told = mail.messages.filter((message) => messageText(message).includes('evil.example'));
      const known = await mailKinds(scratch, told);
      const ofBooking = [
        'booking_confirmed',
        'booking_changed',
        'booking_cancelled',
        'booking_expired',
      ] as const;
      const ofInvoice = end === 'unpaid' ? (['invoice', 'invoice_opened'] as const) : [];
      for (const kind of [...ofBooking, ...ofInvoice]) t.true(known.includes(kind), kind);
    });
  });

/** The kinds of the mails to the public guest's address. */
async function mailKinds(scratch: DataSource, messages: { id: string; to: string }[]): Promise<MailKind[]> {
  const ids = messages.filter(({ to }) => to === VICTIM).map(({ id }) => id);
  const rows: { kind: MailKind }[] = await scratch.query(`SELECT kind FROM mails WHERE id = ANY ($1)`, [ids]);
  return rows.map(({ kind }) => kind);
}

/** The whole message as one text; the lines of a calendar file are not broken. */
const messageText = (message: MailMessage): string =>
  JSON.stringify({ ...message, pdfs: [] }).replaceAll('\\r\\n ', '');

test('staff can send the payment link to an address that already had its mail about another booking', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    const mail = createMail(scratch, 1);
    await hold(scratch, room, false);
    const booking_id = await hold(scratch, room, false);
    await scratch.query(`UPDATE mails SET next_attempt_at = now(), notify_at = now()`);
    t.deepEqual(await mail.send(workspace_id), [VICTIM]);
    const held = { workspace_id, kind: 'booking_held', booking_id } as const;
    await transaction(scratch, (tx) => enqueueMail(tx, { ...held, about: newId('mail') }));
    t.deepEqual(await mail.send(workspace_id), [VICTIM]);
    t.true(mail.messages.every((message) => !messageText(message).includes('evil.example')));
  });
});
