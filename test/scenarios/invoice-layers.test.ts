import test from 'ava';
import { newMember } from '../support/people.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer, PENDING, sessionIn, successfulCharges } from '../support/payers.js';
import { anonymous, internal } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';
import { processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import type { Invoice } from '../support/api-bodies.js';
import type { ProcessorLedger } from '../support/ledgers.js';
import { message } from '../support/message.js';

// Money for invoices through each layer alone (docs/internals/architecture.md#payment-confirmation),
// while the others are broken.

const SILENT = { break_endpoints: ['platform', 'connect'] };

/** Opens the hosted page with the button on an invoice's payment link. Returns its session. */
const press = async ({ pay_url }: Invoice): Promise<string> =>
  sessionIn((await anonymous('POST', pay_url!.slice(dev.baseUrl.length))).body);

const payOn = (session: string, how: Record<string, unknown> = {}) =>
  simulator('POST', `/_sim/checkout/${session}/pay`, how);

/** The payment of an invoice, once it is paid: its only one. */
const untilPaid = ({ api }: TestWorkspace, { id }: Invoice) =>
  until(async () => {
    const { status } = (await api.get(`/v1/invoices/${id}`)).body;
    const { data } = (await api.get(`/v1/payments?invoice_id=${id}`)).body;
    if (data.length > 1) throw new Error(`${data.length} payments`);
    return status === 'paid' && data[0];
  });

/** Loses the run of an invoice's checkout, of its collection or of a card setup. */
const lose = (workflowId: string): Promise<unknown> =>
  temporal.workflow.getHandle(workflowId).terminate('lost');

const findCheckoutId = async ({ id }: Invoice): Promise<string> =>
  (await db.query(`SELECT id FROM checkouts WHERE invoice_id = $1 ORDER BY created_at DESC`, [id]))[0].id;

const healUntil = (workspace: TestWorkspace, done: () => Promise<unknown>): Promise<unknown> =>
  until(async () => {
    await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    return done();
  });

test('a payment link is settled by each layer alone, also for a booking on account', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const payer = await newPayer(workspace);
  for (const [alone, broken] of [
    ['platform', 'connect'],
    ['connect', 'platform'],
  ] as const) {
    const invoice = await newInvoice(workspace, payer.id, 14);
    await withFaults(workspace, { break_endpoints: [broken] }, async () => {
      await payOn(await press(invoice));
      t.is((await untilPaid(workspace, invoice)).source, `${alone}_webhook`);
    });
  }
  await withFaults(workspace, SILENT, async () => {
    const returned = await newInvoice(workspace, payer.id, 14);
    const { redirect_url } = await payOn(await press(returned));
    t.true((await (await fetch(redirect_url)).text()).includes(message('payer.payment_received')));
    t.is((await untilPaid(workspace, returned)).source, 'success_page');

    await api.patch(`/v1/companies/${payer.id}`, { payment_terms: 14 });
    const member = await newMember(workspace, { company_id: payer.id });
    const room = await newRoom(api);
    const wish = bookingBody(room.id, { booked_by: { member_id: member.id }, settle: 'on_account' });
    const { body: booking } = await member.api.post('/v1/bookings', wish);
    const { body: onAccount } = await api.get(`/v1/invoices/${booking.invoice_id}`);
    await payOn(await press(onAccount));
    await lose(await findCheckoutId(onAccount));
    await healUntil(
      workspace,
      async () => (await api.get(`/v1/invoices/${onAccount.id}`)).body.status === 'paid',
    );
    t.like(await untilPaid(workspace, onAccount), {
      source: 'scheduler_self_heal',
      booking_id: booking.id,
    });

    // In progress at the bank while the invoice is paid in cash: nobody reports it, and it is refunded.
    const late = await newInvoice(workspace, payer.id, 14);
    const session = await press(late);
    await payOn(session, { async: true });
    const cash = { amount_minor: 10_000, method: 'cash' };
    t.is((await api.post(`/v1/invoices/${late.id}/mark-paid`, cash)).status, 200);
    await simulator('POST', `/_sim/checkout/${session}/settle`, {});
    await healUntil(workspace, async () => {
      const { data } = (await api.get(`/v1/payments?invoice_id=${late.id}&kind=refund`)).body;
      return data[0]?.status === 'succeeded' && data[0].amount_minor === 10_000;
    });
  });
  await sweep(t, workspace);
});

test('a charge to a card on file is settled by the webhook alone, and by its collection alone', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, PENDING);
  const charged = async (): Promise<{
    invoice: Invoice;
    intent: ProcessorLedger['payment_intents'][number];
  }> => {
    const invoice = await newInvoice(workspace, payer.id, 0);
    await until(async () => {
      const [charge] = await db.query(`SELECT state FROM checkouts WHERE invoice_id = $1`, [invoice.id]);
      return charge?.state === 'processing';
    });
    const { payment_intents } = await processorLedger(workspace);
    const intent = payment_intents.find(({ metadata }) => metadata.invoice_id === invoice.id)!;
    await lose(`collect-${invoice.id}`);
    return { invoice, intent };
  };
  const reported = await charged();
  await simulator('POST', `/_sim/payment_intents/${reported.intent.id}/settle`, {});
  t.is((await untilPaid(workspace, reported.invoice)).source, 'connect_webhook');

  await withFaults(workspace, SILENT, async () => {
    const silent = await charged();
    await simulator('POST', `/_sim/payment_intents/${silent.intent.id}/settle`, {});
    // The time at which a run that has not acted is notified again.
    await db.query(`UPDATE collections SET notify_at = now() WHERE invoice_id = $1`, [silent.invoice.id]);
    t.is((await untilPaid(workspace, silent.invoice)).source, null, 'no layer had to find it');
  });
  t.is((await successfulCharges(workspace)).length, 2);
  await sweep(t, workspace);
});

test('a saved card is found by self-heal alone, after its run was lost', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const payer = await newPayer(workspace);
  const { body: setup } = await api.post(`/v1/companies/${payer.id}/card-setup`);
  const [{ id }] = await db.query(`SELECT id FROM card_setups WHERE company_id = $1`, [payer.id]);
  await lose(id);
  await withFaults(workspace, SILENT, async () => {
    await payOn(sessionIn(setup.url));
    await healUntil(workspace, async () => (await api.get(`/v1/companies/${payer.id}`)).body.card);
  });
  await sweep(t, workspace);
});
