import test from 'ava';
import { openInvoice } from '../support/accounting.js';
import { pay, pendingBooking, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { simulator } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { pendingChange } from '../support/pending-change-calls.js';
import { message } from '../support/message.js';

const fetchText = async (address: string): Promise<string> => (await fetch(address)).text();
const LINK = /\/(manage|pay)\//;

/** A payer's return address before it had a secret: of a session, with the id of its checkout. */
async function addressByIds(session: string): Promise<string> {
  const [{ id }] = await db.query(`SELECT id FROM checkouts WHERE session_id = $1`, [session]);
  return `${dev.baseUrl}/checkout/success?session_id=${session}&checkout_id=${id}`;
}

test('only the address that a payer returns to has the link to the booking, until the link is replaced', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const byIds = await addressByIds(checkoutSessionId(booking));
  const { redirect_url } = await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  const { manage_url } = (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  t.true((await fetchText(redirect_url)).includes(manage_url!));
  for (const known of [byIds, `${byIds}&secret=`, `${byIds}&secret=${'A'.repeat(43)}`, redirect_url + 'A']) {
    const page = await fetchText(known);
    t.true(page.includes(message('payer.confirmed')));
    t.notRegex(page, LINK, known);
  }

  const { body: rotated } = await workspace.api.post(`/v1/bookings/${booking.id}/rotate-manage-link`);
  t.not(rotated.manage_url, manage_url);
  for (const known of [byIds, redirect_url]) {
    const page = await fetchText(known);
    t.true(page.includes(message('payer.confirmed')), 'its state stays');
    t.notRegex(page, LINK, 'neither the link that was replaced nor the new one');
  }
  t.notRegex(
    await fetchText(booking.checkout_url!),
    /\/checkout\/success/,
    'the page that was paid leads nowhere',
  );
  await sweep(t, workspace);
});

test('the ids of a withdrawn change open nothing', async (t) => {
  const workspace = await newWorkspace();
  const { path, pending } = await pendingChange(t, workspace);
  const byIds = await addressByIds(checkoutSessionId(pending));
  t.is((await workspace.api.delete(`${path}/pending-change`)).status, 204);
  const page = await until(async () => {
    const text = await fetchText(byIds);
    return text.includes(message('payer.not_changed')) && text;
  });
  t.notRegex(page, LINK);
  await sweep(t, workspace);
});

test('the session of an invoice does not open its payment link, and the payer’s address does until it is replaced', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme' });
  const invoice = await openInvoice(workspace, { company_id: company.id });
  const { body } = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  const session = checkoutSessionId(body);
  const byIds = await addressByIds(session);
  const { redirect_url } = await simulator('POST', `/_sim/checkout/${session}/pay`, {});
  await until(async () => (await api.get(`/v1/invoices/${invoice.id}`)).body.status === 'paid');
  t.true((await fetchText(redirect_url)).includes(invoice.pay_url!));
  t.notRegex(await fetchText(byIds), LINK);
  await api.post(`/v1/invoices/${invoice.id}/rotate-pay-link`, {});
  const page = await fetchText(redirect_url);
  t.true(page.includes(message('payer.payment_received')));
  t.notRegex(page, LINK);
  await sweep(t, workspace);
});
