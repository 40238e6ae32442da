import test from 'ava';
import type { DataSource } from 'typeorm';
import { createCollectionActivities } from '../../../activities/invoices/collections.js';
import { checkCredit } from '../../../commands/invoices/account-credit.js';
import {
  advanceCollection,
  advanceDueCollections,
  endUnmadeCharge,
  markCollectionNotified,
  recordPendingCharge,
  recordRefusedCharge,
} from '../../../commands/invoices/collections.js';
import { markPaid } from '../../../commands/invoices/payments.js';
import { lockInvoice } from '../../../commands/invoices/invoices.js';
import { voidInvoice } from '../../../commands/invoices/lifecycle.js';
import { settleInvoicePayment } from '../../../commands/invoices/settle-payment.js';
import { insertCompany } from '../../../commands/companies/companies.js';
import { Checkout } from '../../../db/entities/payments.js';
import { newId } from '../../../db/ids.js';
import { insertReturning } from '../../../db/insert.js';
import { findCheckoutById } from '../../../db/queries/payments/checkout.js';
import { findCollection, findCollectionsToNotify } from '../../../db/queries/invoices/collection.js';
import { findInvoiceById, listCollected } from '../../../db/queries/invoices/invoice.js';
import { transaction } from '../../../db/transaction.js';
import { DAY_MS } from '../../../domain/durations.js';
import { presentInvoice } from '../../../domain/invoices/invoice-presenter.js';
import { untilLocked, withScratchDatabase } from '../../support/scratch-database.js';
import { ACCOUNT, age, CHANGES, newCompany, newInvoice } from '../../support/collection-rows.js';

for (const [first, second] of [
  ['card', 'autopay'],
  ['autopay', 'card'],
] as const)
  test(`an open invoice is charged if its collection is decided while ${second} follows ${first}`, async (t) => {
    await withScratchDatabase(async (scratch) => {
      const company = await newCompany(scratch);
      const before = await newInvoice(scratch, company, 0);
      await transaction(scratch, (tx) => CHANGES[first](tx, company));
      const changing = scratch.createQueryRunner();
      await changing.startTransaction();
      await CHANGES[second](changing.manager, company);
      // An invoice that the change has not read, and so has not notified.
      const meanwhile = await newInvoice(scratch, company, 0);
      const ids = [before, meanwhile];
      const deciding = ids.map((id) =>
        transaction(scratch, (tx) => advanceCollection(tx, id, new Date(Date.now() + 1_000))),
      );
      await untilLocked(scratch, 2);
      await changing.commitTransaction();
      await changing.release();
      for (const { do: step } of await Promise.all(deciding)) t.is(step, 'charge');
    });
  });

test('an invoice shows when its collection acts next as soon as it exists', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch);
    const id = await newInvoice(scratch, company, 10);
    const { collection, due_at } = (await findInvoiceById(scratch.manager, id))!;
    t.is(due_at.getTime() - Date.parse(collection!.next_at!), 3 * DAY_MS);
    const [{ body }] = await scratch.query(`SELECT body FROM events WHERE type = 'invoice.created'`);
    t.deepEqual(body.data.object.collection, {
      status: 'scheduled',
      next_at: new Date(collection!.next_at!).toISOString(),
      attempts: 0,
    });
    await transaction(scratch, (tx) => advanceCollection(tx, id, new Date()));
    const { next_at } = (await findCollection(scratch.manager, id))!;
    t.is(next_at!.getTime(), Date.parse(collection!.next_at!));
  });
});

/** What one relay does with everything due. Returns what it leaves to runs. */
const look = async (scratch: DataSource) => {
  const due = await findCollectionsToNotify(scratch.manager);
  return transaction(scratch, (tx) => advanceDueCollections(tx, due));
};

const reminders = async (scratch: DataSource): Promise<string[]> =>
  (
    await scratch.query(`SELECT invoice_id FROM mails WHERE kind = 'invoice_reminder' ORDER BY invoice_id`)
  ).map(({ invoice_id }: { invoice_id: string }) => invoice_id);

test('due collections are handled in one transaction by one relay, and only a charge and an open page are left to runs', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch);
    const { workspace_id } = company;
    const paying = await insertCompany(scratch.manager, { workspace_id, name: 'Bolt', payment_terms: 14 });
    for (const change of [CHANGES.card, CHANGES.autopay])
      await transaction(scratch, (tx) => change(tx, paying));
    const soon = [await newInvoice(scratch, company, 9), await newInvoice(scratch, paying, 9)];
    const overdue = await newInvoice(scratch, company, 9);
    const charged = await newInvoice(scratch, paying, 9);
    const voided = await newInvoice(scratch, company, 9);
    const paged = await newInvoice(scratch, company, 9);
    for (const id of soon) await age(scratch, id, -2);
    for (const id of [overdue, charged]) await age(scratch, id, 8);
    await insertReturning(scratch.manager, Checkout, {
      id: newId('chk'),
      workspace_id,
      invoice_id: paged,
      ordinal: 1,
      account_id: ACCOUNT,
      currency: 'GBP',
      amount_minor: 10_000,
      description: 'Invoice',
      state: 'open',
      session_expires_at: new Date(Date.now() + DAY_MS),
    });
    for (const id of [voided, paged]) await transaction(scratch, (tx) => voidInvoice(tx, id, new Date()));

    const relays = await Promise.all([look(scratch), look(scratch)]);
    const left = new Set(relays.flat().map(({ invoice_id }) => invoice_id));
    t.deepEqual([...left].sort(), [charged, paged].sort());
    t.deepEqual(await reminders(scratch), [...soon, overdue].sort());
    const events = await scratch.query(`SELECT body FROM events WHERE type = 'invoice.overdue'`);
    t.is(events.length, 1);
    t.like(events[0].body.data.object, { id: overdue, collection: { status: 'overdue', next_at: null } });
    const states = await scratch.query(
      `SELECT invoice_id, status, next_at, notify_at, notify_at < now() + interval '1 minute' AS soon
        FROM collections`,
    );
    const of = (id: string) => states.find(({ invoice_id }: { invoice_id: string }) => invoice_id === id);
    t.like(of(overdue), { status: 'overdue', next_at: null, notify_at: null });
    t.like(of(voided), { status: 'ended', next_at: null, notify_at: null });
    for (const id of soon) t.deepEqual(of(id).notify_at, of(id).next_at);
    for (const id of left)
      t.true(of(id).soon, 'another relay takes over from one that dies before it starts the run');
    t.is((await look(scratch)).length, 0);
    t.is((await reminders(scratch)).length, 3);
  });
});

test('an invoice that is being paid or whose payer is changing is left out for as long as that lasts', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch);
    const { workspace_id } = company;
    const changing = await insertCompany(scratch.manager, { workspace_id, name: 'Bolt', payment_terms: 14 });
    const paying = await newInvoice(scratch, company, 9);
    const others = [await newInvoice(scratch, company, 9), await newInvoice(scratch, changing, 9)];
    for (const id of [paying, ...others]) await age(scratch, id, 1);
    await transaction(scratch, async (tx) => {
      await lockInvoice(tx, paying);
      await CHANGES.autopay(tx, changing);
      await look(scratch);
      t.deepEqual(await reminders(scratch), [others[0]]);
    });
    await look(scratch);
    t.deepEqual(await reminders(scratch), [paying, ...others].sort());
  });
});

test('a run that charges decides by itself, and a change while it is notified is passed on too', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch);
    for (const change of [CHANGES.card, CHANGES.autopay])
      await transaction(scratch, (tx) => change(tx, company));
    const id = await newInvoice(scratch, company, 9);
    await age(scratch, id, 1);
    const [found] = await look(scratch);
    await transaction(scratch, (tx) => CHANGES.autopay(tx, company));
    await markCollectionNotified(scratch.manager, found!);
    const [again] = await look(scratch);
    await markCollectionNotified(scratch.manager, again!);
    t.is((await findCollection(scratch.manager, id))!.notify_at! > new Date(Date.now() + 60_000), true);

    // It was paid otherwise while the bank had not decided.
    await scratch.query(`UPDATE collections SET status = 'charging', notify_at = now()`);
    await transaction(scratch, (tx) => voidInvoice(tx, id, new Date()));
    t.is((await look(scratch)).length, 1);
    t.is((await findCollection(scratch.manager, id))!.status, 'charging');
  });
});

test('an overdue invoice counts against credit immediately, in any currency, and a limit holds across currencies', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch, { credit_limit_minor: 20_000 });
    const payer = { company_id: company.id, member_id: null };
    const owe = async (amount_minor: number, currency = 'GBP') => {
      const debt = { workspace_id: company.workspace_id, currency, amount_minor };
      return checkCredit(scratch.manager, payer, debt).then(
        () => null,
        ({ context }) => context.details.reason,
      );
    };
    await newInvoice(scratch, company, 1);
    t.deepEqual([await owe(10_000), await owe(10_001), await owe(1, 'EUR')], [null, 'limit', 'currency']);
    const foreign = await newInvoice(scratch, company, -8, 'EUR');
    t.is(await owe(1), 'currency');
    await scratch.query(`UPDATE companies SET credit_limit_minor = NULL`);
    t.deepEqual([await owe(99_999), await owe(99_999, 'EUR')], [null, null]);
    await scratch.query(`UPDATE workspaces SET refuse_overdue_payers = true`);
    t.is(await owe(1), 'overdue');
    await scratch.query(`UPDATE invoices SET due_at = now() - interval '6 days' WHERE id = $1`, [foreign]);
    t.is(await owe(1), null);
  });
});

test('a payment that was stored without its checkout ends the checkout when it is reported', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch);
    const invoice_id = await newInvoice(scratch, company, 0);
    const { workspace_id } = company;
    const amount = { amount_minor: 10_000, currency: 'GBP' };
    const charge = { account_id: ACCOUNT, customer_id: 'cus_1', payment_method_id: 'pm_1' };
    const id = newId('chk');
    const checkout = {
      id,
      workspace_id,
      invoice_id,
      ordinal: 1,
      description: 'Invoice',
      ...amount,
      ...charge,
    };
    const stored = await insertReturning(scratch.manager, Checkout, {
      ...checkout,
      session_expires_at: new Date(Date.now() + DAY_MS),
    });
    const received = {
      ...amount,
      payment_intent_id: 'pi_1',
      account_id: ACCOUNT,
      method: 'card',
      paid_at: new Date(),
    };
    const settle = () => transaction(scratch, (tx) => settleInvoicePayment(tx, stored, received, null));
    await settle();
    await scratch.query(`UPDATE checkouts SET state = 'processing'`);
    t.like(await settle(), { kind: 'confirmed', already: true });
    const { state } = (await findCheckoutById(scratch.manager, id))!;
    t.is(state, 'paid');
  });
});

/** An invoice whose charge to the card on file is stored. `look` is its run's next action. */
async function newCharge(scratch: DataSource) {
  const company = await newCompany(scratch);
  const invoice = await newInvoice(scratch, company, 0);
  for (const change of [CHANGES.card, CHANGES.autopay])
    await transaction(scratch, (tx) => change(tx, company));
  const soon = new Date(Date.now() + 1_000);
  const look = () => transaction(scratch, (tx) => advanceCollection(tx, invoice, soon));
  const action = await look();
  if (action.do !== 'charge') throw new Error(action.do);
  const { checkoutId } = action;
  const pending = () => transaction(scratch, (tx) => recordPendingCharge(tx, checkoutId, soon));
  const collection = async () => (await findCollection(scratch.manager, invoice))!;
  return { company, invoice, checkoutId, soon, look, pending, collection };
}

test('a charge that ends while the processor still reports it as pending is not recorded as pending', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { invoice, checkoutId, soon, look, pending, collection } = await newCharge(scratch);
    const checkout = (await findCheckoutById(scratch.manager, checkoutId))!;
    const received = {
      amount_minor: 10_000,
      currency: 'GBP',
      payment_intent_id: 'pi_1',
      account_id: ACCOUNT,
      method: 'card',
      paid_at: new Date(),
    };
    // A webhook has reported it.
    await transaction(scratch, (tx) => settleInvoicePayment(tx, checkout, received, null));
    t.deepEqual(await pending(), soon, 'it is looked at again at once');
    t.true((await collection()).notify_at! < soon);
    t.is((await look()).do, 'end');
    t.like(await collection(), { status: 'ended', next_at: null });
    t.is((await findInvoiceById(scratch.manager, invoice))!.status, 'paid');
  });
});

test('an invoice that is paid otherwise while its charge is pending is checked again, and not shown as charging', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { company, invoice, pending, collection } = await newCharge(scratch);
    const until = await pending();
    t.like(await collection(), { status: 'charging', next_at: until });
    t.true((await collection()).notify_at! > until);
    const cash = { amount_minor: 10_000, method: 'cash', paid_at: new Date(), reference: null } as const;
    await transaction(scratch, (tx) => markPaid(tx, invoice, { id: newId('pay'), ...cash }));
    // The processor was asked before.
    await pending();
    t.deepEqual(
      (await look(scratch)).map(({ invoice_id }) => invoice_id),
      [invoice],
      'its run cancels the charge',
    );
    const paid = (await findInvoiceById(scratch.manager, invoice))!;
    t.like(presentInvoice(paid).collection, { status: 'ended', next_at: null });
    t.deepEqual(await listCollected(scratch.manager, company.workspace_id, 10), []);
  });
});

test('a refused charge keeps its reason when a later check again finds nothing due', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { checkoutId } = await newCharge(scratch);
    const refusal = { code: 'card_declined', payment_intent_id: null };
    await transaction(scratch, (tx) => recordRefusedCharge(tx, checkoutId, refusal));
    await transaction(scratch, (tx) => endUnmadeCharge(tx, checkoutId, 'canceled'));
    t.like(await findCheckoutById(scratch.manager, checkoutId), {
      state: 'closed',
      refusal_code: 'card_declined',
    });
  });
});

test('a charge lost in a failover has ended, and the next check stores it again under the same key', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const company = await newCompany(scratch);
    const invoice = await newInvoice(scratch, company, 0);
    for (const change of [CHANGES.card, CHANGES.autopay])
      await transaction(scratch, (tx) => change(tx, company));
    const look = async () => {
      const action = await transaction(scratch, (tx) =>
        advanceCollection(tx, invoice, new Date(Date.now() + 1_000)),
      );
      return action.do === 'charge' ? action.checkoutId : action.do;
    };
    const lost = await look();
    const { ordinal } = (await findCheckoutById(scratch.manager, lost))!;
    await scratch.query(`DELETE FROM checkouts`);
    await scratch.query(`UPDATE collections SET status = 'scheduled', attempts = 0, next_at = now()`);

    const { chargeInvoice } = createCollectionActivities({ db: scratch } as never);
    t.deepEqual(await chargeInvoice(lost), { kind: 'ended' });
    await transaction(scratch, async (tx) => {
      await recordRefusedCharge(tx, lost, { code: 'card_declined', payment_intent_id: null });
      const now = new Date();
      t.is(await recordPendingCharge(tx, lost, now), now);
    });
    const again = await look();
    t.not(again, lost);
    t.is((await findCheckoutById(scratch.manager, again))!.ordinal, ordinal);
  });
});

test('an invoice that a failover loses while a payment is recorded is not found', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const error = await t.throwsAsync(transaction(scratch, (tx) => lockInvoice(tx, newId('inv'))));
    t.like(error, { code: 'invoice_not_found' });
  });
});
