import test from 'ava';
import { confirmedBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer, successfulCharges } from '../support/payers.js';
import { db, newWorkspace, pay, processorLedger, until, type TestWorkspace } from '../support/stack.js';

/*
 * Rows are lost, as by a restored backup, and the service does again what it has done: the processor has done it once.
 */

const statusOf = async ({ api }: TestWorkspace, invoiceId: string) =>
  (await api.get(`/v1/invoices/${invoiceId}`)).body.status;

/** Loses that an invoice was paid, by whatever attempt. */
async function losePayment(invoiceId: string): Promise<void> {
  await db.query(`UPDATE invoices SET status = 'open', paid_at = NULL WHERE id = $1`, [invoiceId]);
  await db.query(`DELETE FROM payments WHERE invoice_id = $1`, [invoiceId]);
  await db.query(`DELETE FROM checkouts WHERE invoice_id = $1`, [invoiceId]);
}

/** Loses the refunds of a payment. */
async function loseRefunds(paymentId: string): Promise<void> {
  await db.query(`DELETE FROM payments WHERE refund_of = $1`, [paymentId]);
  await db.query(`UPDATE payments SET refunded_minor = 0, status = 'succeeded' WHERE id = $1`, [paymentId]);
}

test('a charge of an invoice whose row is lost is found by the next one, and settled', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const { id } = await newInvoice(workspace, payer.id, -1);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  await losePayment(id);
  await db.query(`UPDATE collections SET status = 'scheduled', notify_at = now() WHERE invoice_id = $1`, [
    id,
  ]);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  t.is((await successfulCharges(workspace)).length, 1);
  await sweep(t, workspace);
});

test('a page of an invoice that was paid is found by the next one, and settled', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace);
  const { id } = await newInvoice(workspace, payer.id, 10);
  const { body: page } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  await pay(page);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  await losePayment(id);
  const { body: again } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  // The link leads to the page that follows a payment, which has it settled.
  await fetch(again.checkout_url);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  t.is((await processorLedger(workspace)).charges.length, 1);
  await sweep(t, workspace);
});

test('a refund whose row is lost is found by the next one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const paymentId: string = body.data[0]!.id;
  const refund = async () => {
    const { body: made } = await api.post(`/v1/payments/${paymentId}/refund`, { amount_minor: 1_000 });
    await until(async () => (await api.get(`/v1/payments/${made.refund.id}`)).body.status === 'succeeded');
  };
  await refund();
  await loseRefunds(paymentId);
  await refund();
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await refund();
  t.is((await processorLedger(workspace)).refunds.length, 2);
  await sweep(t, workspace);
});
