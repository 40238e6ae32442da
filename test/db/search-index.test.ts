import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import { takeAccountsToRead } from '../../commands/processor/account-reads.js';
import type { DataSource } from 'typeorm';
import { findBookingMoney } from '../../db/queries/bookings/money.js';
import { findReplacement } from '../../db/queries/invoices/money.js';
import { listInvoices } from '../../db/queries/invoices/invoice.js';
import { listPayments } from '../../db/queries/payments/payment.js';
import type { Reconciliation } from '../../db/entities/reconciliation.js';
import { listComparedPayments } from '../../db/queries/reconciliation/reconciliation.js';
import { findBookingMail } from '../../db/queries/mail/booking-mail.js';
import { listSentEvents } from '../../db/queries/events/sent-event.js';
import { listAttentionItems } from '../../db/queries/workspaces/attention.js';
import { listAuditLog } from '../../db/queries/audit-log/audit.js';
import { listGuests } from '../../db/queries/guests/guest.js';
import { listBookings, listLatestBookings, searchBookings } from '../../db/queries/bookings/booking.js';
import { findOverdueBookings } from '../../db/queries/bookings/self-heal.js';
import { listMembers } from '../../db/queries/members/member.js';
import type { Tx } from '../../db/transaction.js';
import { storeBookings } from '../support/stored-bookings.js';
import {
  storeAuditEntries,
  storeDeliveries,
  storeEvents,
  storeInvoices,
  storeMembers,
  storePayments,
} from '../support/rows.js';
import { newPlace, withScratchDatabase } from '../support/scratch-database.js';

/** The names of the indexes in the plans of the queries that `work` runs. */
async function usedIndexes(scratch: DataSource, work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const client = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      plans.push(JSON.stringify(await scratch.query(`EXPLAIN (FORMAT JSON) ${text}`, values)));
      return { rows: [] };
    },
  };
  const explaining = { queryRunner: { connect: async () => client } };
  await work(explaining as unknown as Tx);
  return plans.flatMap((plan) => [...plan.matchAll(/"Index Name":"(\w+)"/g)].map((match) => match[1]!));
}

/** A unique value, and one that all rows have. */
const buildMetadata = (n: number) => ({ crm_id: String(n), source: 'web' });

test('searches and lists use indexes instead of scanning everything that a workspace has stored', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id: room_id, workspace_id } = await newPlace(scratch);
    const first = Date.now() + DAY_MS;
    const guests = Array.from({ length: 8_000 }, (_, i) => ({
      start_at: new Date(first + i * 60_000),
      guest_name: `Guest ${i.toString(36)}`,
      guest_email: `g${i.toString(36)}@example.com`,
      metadata: buildMetadata(i),
    }));
    await storeBookings({ workspace_id, room_id }, guests, scratch);
    const many = <Row>(count: number, row: (n: number) => Row): Row[] =>
      Array.from({ length: count }, (_, n) => ({ workspace_id, ...row(n) }));
    const minutesAgo = (n: number): Date => new Date(Date.now() - n * 60_000);
    const digest = (n: number): string => createHash('md5').update(String(n)).digest('hex');
    await storeMembers(
      scratch,
      many(8_000, (n) => ({
        id: `mem_${n}`,
        name: `Person ${digest(n)}`,
        email: `${digest(n)}@example.org`,
        metadata: buildMetadata(n),
      })),
    );
    await storeInvoices(
      scratch,
      many(5_000, (n) => ({
        id: `inv_${n}`,
        number: n + 1,
        member_id: 'mem_1',
        metadata: buildMetadata(n),
        document_number: `TH-${n + 1}`,
        document_ordinal: n + 1,
        accounting_reference: n % 5 === 0 ? `Holdfast #${n + 1} — PO ${digest(n)}` : `Holdfast #${n + 1}`,
        created_at: minutesAgo(n),
      })),
    );
    await scratch.query(
      `INSERT INTO accounting_documents (source_id, workspace_id, invoice_id, kind, number)
       SELECT id, workspace_id, id, 'invoice', 'TH-' || number FROM invoices`,
    );
    await storePayments(
      scratch,
      many(5_000, (n) => ({
        id: `pay_${n}`,
        invoice_id: `inv_${n}`,
        account_id: 'acct_1',
        processor_payment_intent_id: `pi_${n}`,
        reference: n % 5 === 0 ? `Till ${digest(n)}` : null,
        paid_at: new Date(),
        created_at: minutesAgo(n),
      })),
    );
    await storeEvents(
      scratch,
      many(5_000, (n) => ({
        id: `evt_${n}`,
        type: 'invoice.paid' as const,
        object_id: `inv_${n}`,
        position: n,
        created_at: minutesAgo(n),
      })),
    );
    await storeDeliveries(
      scratch,
      many(5_000, (n) => ({ event_id: `evt_${n}`, status_code: n === 7 ? 500 : 200 })),
    );
    await storeAuditEntries(
      scratch,
      many(5_000, (n) => ({ action: 'invoice.created' as const, object: `inv_${n}`, at: minutesAgo(n) })),
    );
    await scratch.query('ANALYZE');
    const filter = {
      workspace_id,
      from: new Date(),
      to: new Date(first + DAY_MS * 30),
      q: 'lovelace',
      limit: 51,
    };
    const used = await usedIndexes(scratch, (tx) => listBookings(tx, filter));
    for (const index of ['bookings_guest_plain', 'bookings_member_page', 'members_plain'])
      t.true(used.includes(index), `${index} is not among ${used.join()}`);
    for (const q of ['lovelace', 'loevelace']) {
      const members = await usedIndexes(scratch, (tx) => listMembers(tx, { workspace_id, q, limit: 51 }));
      t.true(members.includes('members_plain'), members.join());
    }
    const page = await usedIndexes(scratch, (tx) => listMembers(tx, { workspace_id, limit: 51 }));
    t.true(page.includes('members_page'), page.join());

    // Each list, unfiltered and filtered by a rare value: an index has its order, so that no page reads all
    // rows.
    const one = { workspace_id, limit: 26 };
    const starts = { from: new Date(), to: filter.to };
    const latest = await usedIndexes(scratch, (tx) => listLatestBookings(tx, { ...one, ...starts }));
    t.true(latest.includes('bookings_page'), latest.join());
    const lists: Record<string, (tx: Tx) => Promise<unknown>> = {
      bookings_page: (tx) => listBookings(tx, { ...one, ...starts }),
      bookings_ended_page: (tx) =>
        listBookings(tx, { ...one, from: new Date(0), to: filter.to, status: 'expired' }),
      bookings_no_show_page: (tx) =>
        listBookings(tx, { ...one, from: new Date(0), to: filter.to, no_show: true }),
      // For each guest in a list.
      bookings_guest_page: (tx) => listGuests(tx, one),
      invoices_page: (tx) => listInvoices(tx, one),
      invoices_ended_page: (tx) => listInvoices(tx, { ...one, status: 'void' }),
      payments_moved_page: (tx) => listPayments(tx, one),
      payments_moved_by_kind: (tx) => listPayments(tx, { ...one, kind: 'refund' }),
      payments_moved_by_status: (tx) => listPayments(tx, { ...one, status: 'failed' }),
      payments_page: (tx) => listPayments(tx, { ...one, created_from: minutesAgo(10) }),
      audit_log_page: (tx) => listAuditLog(tx, one),
      audit_log_by_action: (tx) => listAuditLog(tx, { ...one, action: 'room.created' }),
      events_page: (tx) => listSentEvents(tx, one),
      webhook_deliveries_failed: (tx) => listSentEvents(tx, { ...one, failed: true }),
      invoices_reference_plain: (tx) => listInvoices(tx, { ...one, reference: 'po 4711' }),
      bookings_reference: (tx) => searchBookings(tx, { ...one, q: 'k3ck9' }),
      bookings_metadata: (tx) =>
        listBookings(tx, { ...one, from: new Date(0), to: filter.to, metadata: { crm_id: '17' } }),
      members_metadata: (tx) => listMembers(tx, { ...one, metadata: { crm_id: '17' } }),
      invoices_metadata: (tx) => listInvoices(tx, { ...one, metadata: { crm_id: '17' } }),
      accounting_documents_number_key: (tx) => listInvoices(tx, { ...one, number: 'TH-79-2' }),
      invoices_document_ordinal: (tx) => listInvoices(tx, { ...one, number: '79' }),
      payments_reference_plain: (tx) => listInvoices(tx, { ...one, reference: 'till 2' }),
      invoices_rejected: (tx) => listAttentionItems(tx, one),
      // For each mail about an invoice.
      invoices_adjusting: (tx) => findReplacement(tx, 'inv_1'),
      // Every hour over all workspaces.
      bookings_to_complete: (tx) => findOverdueBookings(tx, { after: '', limit: 100 }),
      // Every five minutes.
      bookings_pending: (tx) => takeAccountsToRead(tx, 100),
    };
    for (const [index, list] of Object.entries(lists)) {
      const names = await usedIndexes(scratch, list);
      t.true(names.includes(index), `${index} is not among ${names.join()}`);
    }

    const ofMail = await usedIndexes(scratch, (tx) => findBookingMail(tx, 'mail_1'));
    const payments = ofMail.filter((index) => index === 'payments_pkey');
    t.is(
      payments.length,
      4,
      `the refund of a mail, those of a change, its charge, those on their way: ${ofMail.join()}`,
    );
    const ofMoney = await usedIndexes(scratch, (tx) =>
      findBookingMoney(tx, 'bk_1').catch(() => 'there is none'),
    );
    t.true(ofMoney.includes('invoices_adjusting'), ofMoney.join());
    const hour = { from_at: new Date(Date.now() - HOUR_MS), to_at: new Date() };
    const ofReport = await usedIndexes(scratch, (tx) =>
      listComparedPayments(tx, { id: 'rec_1', workspace_id, ...hour } as Reconciliation),
    );
    for (const index of ['invoices_page', 'payments_by_invoice'])
      t.true(ofReport.includes(index), `${index} is not among ${ofReport.join()}`);
  });
});
