import test from 'ava';
import type { DataSource } from 'typeorm';
import { createAccountingActivities } from '../../../activities/accounting/steps.js';
import type { Accounting, AccountingDocument } from '../../../activities/gateways/accounting.js';
import { recordDocument, startDocumentAttempt } from '../../../commands/accounting/documents.js';
import {
  claimNewUpdates,
  completeAccountingUpdate,
  endClaim,
  enqueueAccountingUpdate,
  markInvoiceNotified,
  leaveNewUpdates,
  requeueAccountingUpdates,
  takeOverUpdate,
} from '../../../commands/accounting/pending-updates.js';
import { insertInvoice, lockInvoiceRow } from '../../../commands/invoices/invoices.js';
import { insertCompany } from '../../../commands/companies/companies.js';
import { newId } from '../../../db/ids.js';
import { findAccountingInvoice } from '../../../db/queries/accounting/invoice-view.js';
import { findInvoicesToNotify } from '../../../db/queries/accounting/pending-update.js';
import { readBacklog } from '../../../db/queries/workspaces/backlog.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, untilLocked, withScratchDatabase } from '../../support/scratch-database.js';

/** Stores an open invoice, and returns its id and its workspace's. */
async function newInvoice(scratch: DataSource) {
  const { workspace_id } = await newPlace(scratch);
  const { id: company_id } = await insertCompany(scratch.manager, { workspace_id, name: 'Acme' });
  const id = newId('inv');
  const line = {
    description: 'Desk',
    quantity: 1,
    unit_amount_minor: 100,
    tax_code: 'ZERO',
    tax_rate_bps: 0,
  };
  await transaction(scratch, (tx) =>
    insertInvoice(tx, {
      id,
      workspace_id,
      kind: 'ad_hoc',
      currency: 'GBP',
      due_at: new Date(),
      company_id,
      member_id: null,
      created_at: new Date(),
      lines: [{ ...line, net_minor: 100, tax_minor: 0 }],
    }),
  );
  return { id, workspace_id };
}

test('no document is started for an invoice that is being voided', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id } = await newInvoice(scratch);
    const document = { source_id: id, invoice_id: id, kind: 'invoice', number: 'S-1' } as const;
    const voiding = scratch.createQueryRunner();
    await voiding.startTransaction();
    await lockInvoiceRow(voiding.manager, id);
    await voiding.query(`UPDATE invoices SET status = 'void' WHERE id = $1`, [id]);
    const starting = startDocumentAttempt(scratch.manager, document, 'open');
    await untilLocked(scratch);
    await voiding.commitTransaction();
    await voiding.release();
    t.is(await starting, null);
    t.deepEqual((await findAccountingInvoice(scratch.manager, id))!.known, []);
  });
});

test('a document that is started again keeps its number', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id } = await newInvoice(scratch);
    const begin = (number: string) =>
      startDocumentAttempt(
        scratch.manager,
        { source_id: id, invoice_id: id, kind: 'invoice', number },
        'open',
      );
    t.deepEqual(await begin('TH-1'), { number: 'TH-1', attempts: 1 });
    t.deepEqual(await begin('HH-1'), { number: 'TH-1', attempts: 2 });
  });
});

test('an update is not completed for an invoice that has changed since it was read', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newInvoice(scratch);
    const pending = async () => (await findAccountingInvoice(scratch.manager, id))!;
    await scratch.query(`INSERT INTO accounting_due (invoice_id, workspace_id) VALUES ($1, $2)`, [
      id,
      workspace_id,
    ]);
    const before = await pending();
    await scratch.query(`UPDATE accounting_due SET version = version + 1`);
    await completeAccountingUpdate(scratch.manager, before);
    t.is((await pending()).due_version, before.due_version! + 1);
    await completeAccountingUpdate(scratch.manager, await pending());
    t.is((await pending()).due_version, null);
  });
});

/** Stores a paid invoice of a connected workspace, and enqueues its update. */
async function newPaidInvoice(scratch: DataSource) {
  const invoice = await newInvoice(scratch);
  await scratch.query(
    `INSERT INTO accounting_connections (workspace_id, status, tenant_id, organisation, access_token,
      refresh_token,
       access_expires_at, connected_at)
     VALUES ($1, 'active', $1, 'Acme', '', '', now(), now())`,
    [invoice.workspace_id],
  );
  await scratch.query(`UPDATE invoices SET status = 'paid', paid_at = now() WHERE id = $1`, [invoice.id]);
  await enqueue(scratch, invoice.id);
  return invoice;
}

const enqueue = (scratch: DataSource, id: string): Promise<void> =>
  transaction(scratch, (tx) => enqueueAccountingUpdate(tx, id));

const claimIsOver = (scratch: DataSource): Promise<unknown> =>
  scratch.query(
    `UPDATE accounting_due SET first_attempt_until = first_attempt_until - interval '61 seconds'`,
  );

const toNotify = async (scratch: DataSource): Promise<string[]> =>
  (await findInvoicesToNotify(scratch.manager)).map(({ invoice_id }) => invoice_id);

test('workers that look at the same time claim a new update once, and a run waits for the claim', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const claims = await Promise.all([1, 2, 3].map(() => claimNewUpdates(scratch.manager, workspace_id, 4)));
    const [update] = claims.flat();
    t.like(update, { invoice_id: id });
    t.is(claims.flat().length, 1);
    t.false(await takeOverUpdate(scratch.manager, id));
    t.deepEqual(await toNotify(scratch), []);
    await endClaim(scratch.manager, update!, 'postpone');
    t.true(await takeOverUpdate(scratch.manager, id));
    t.deepEqual(await toNotify(scratch), [], 'the hourly sync tries again');
  });
});

test('when the claim of a lost worker expires, the run takes over the update', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const [update] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    await claimIsOver(scratch);
    t.deepEqual(await claimNewUpdates(scratch.manager, workspace_id, 4), []);
    t.deepEqual(await toNotify(scratch), [id]);
    await markInvoiceNotified(scratch.manager, update!);
    t.deepEqual(await toNotify(scratch), []);
    t.true(await takeOverUpdate(scratch.manager, id));
  });
});

test('updates wait for the relay until they are claimed or notified, and while no connection is active they do not', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const lag = async () => Math.floor((await readBacklog(scratch.manager)).accounting_lag_seconds / 60);
    await scratch.query(`UPDATE accounting_due SET notified_at = now() - interval '5 minutes'`);
    t.is(await lag(), 5, 'new');
    const [update] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    t.is(await lag(), 0, 'claimed');
    await scratch.query(`UPDATE accounting_due SET first_attempt_until = now() - interval '3 minutes'`);
    t.is(await lag(), 3, 'the worker is lost');
    await markInvoiceNotified(scratch.manager, update!);
    t.is(await lag(), 0, 'its run is notified');
    await enqueue(scratch, id);
    await scratch.query(`UPDATE invoices SET updated_at = now() - interval '7 minutes'`);
    t.is(await lag(), 7, 'changed again');
    await scratch.query(`UPDATE accounting_connections SET enabled = false`);
    t.is(await lag(), 0, 'off');
  });
});

test('a run that was faster than all workers takes the update, and a change does not take it away', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    t.true(await takeOverUpdate(scratch.manager, id));
    t.deepEqual(await claimNewUpdates(scratch.manager, workspace_id, 4), []);
    await enqueue(scratch, id);
    t.deepEqual(await claimNewUpdates(scratch.manager, workspace_id, 4), []);
    t.deepEqual(await toNotify(scratch), [id]);
    await requeueAccountingUpdates(scratch.manager, workspace_id);
    t.deepEqual(await claimNewUpdates(scratch.manager, workspace_id, 4), [], 'nor does a new connection');
  });
});

test('the run handles a change made during a claim, and what a worker leaves', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const [first] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    await enqueue(scratch, id);
    t.deepEqual(await toNotify(scratch), []);
    await endClaim(scratch.manager, first!, 'postpone');
    t.deepEqual(await toNotify(scratch), [id]);
  });
});

test('a worker releases what it may not send now for another first attempt, and leaves failures to the run', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const [first] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    await endClaim(scratch.manager, first!, 'release');
    t.deepEqual(await toNotify(scratch), []);
    const [second] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    await endClaim(scratch.manager, second!, 'leave');
    t.deepEqual(await toNotify(scratch), [id]);
  });
});

test('a worker whose claim has expired does not hand an invoice that its run is writing to another worker', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const [update] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    await claimIsOver(scratch);
    t.true(await takeOverUpdate(scratch.manager, id));
    await endClaim(scratch.manager, update!, 'release');
    t.deepEqual(await claimNewUpdates(scratch.manager, workspace_id, 4), []);
    t.deepEqual(await toNotify(scratch), [id], 'it looks again');
  });
});

test('an invoice that is being sent does not count as new again when it is paid', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    await scratch.query(`DELETE FROM accounting_due`);
    const document = { source_id: id, invoice_id: id, kind: 'invoice', number: 'S-1' } as const;
    await startDocumentAttempt(scratch.manager, document, 'paid');
    await enqueue(scratch, id);
    t.deepEqual(await claimNewUpdates(scratch.manager, workspace_id, 4), []);
    t.deepEqual(await toNotify(scratch), [id]);
  });
});

test('a worker that outlasts its claim completes no later change, and has a run check the invoice', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const [update] = await claimNewUpdates(scratch.manager, workspace_id, 4);
    const seen = (await findAccountingInvoice(scratch.manager, id))!;
    // Its run has completed the update, and the invoice has changed again.
    t.true(await completeAccountingUpdate(scratch.manager, seen));
    await enqueue(scratch, id);
    t.false(await completeAccountingUpdate(scratch.manager, seen));
    await scratch.query(`DELETE FROM accounting_due`);
    await endClaim(scratch.manager, update!, 'leave');
    t.not((await findAccountingInvoice(scratch.manager, id))!.due_version, null);
  });
});

test('what a worker leaves because a system does not respond is handled by runs', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    t.deepEqual(await toNotify(scratch), []);
    await leaveNewUpdates(scratch.manager, workspace_id);
    t.deepEqual(await toNotify(scratch), [id]);
  });
});

test('a read-back does not store a state that is older than what was written in the meantime', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newPaidInvoice(scratch);
    const document = { source_id: id, invoice_id: id, kind: 'invoice', number: 'S-1' } as const;
    await startDocumentAttempt(scratch.manager, document, 'paid');
    const state = (status: 'submitted' | 'authorised' | 'paid') => {
      const outstanding_minor = status === 'paid' ? 0 : 100;
      return { status, outstanding_minor, reference: 'Holdfast #1', total_minor: 100, credited_minor: 0 };
    };
    const record = (status: 'submitted' | 'paid') =>
      recordDocument(scratch.manager, id, { ...state(status), accounting_id: 'their_1' });
    /** Reads it back as approved, and returns what is stored afterwards. */
    const readBack = async (meanwhile: () => Promise<unknown>) => {
      const readInvoices = async (): Promise<AccountingDocument[]> => {
        await meanwhile();
        const head = { id: 'their_1', number: 'S-1', contact_id: '', currency: 'GBP', payments: [] };
        return [{ ...head, ...state('authorised') }];
      };
      const accounting = { readInvoices } as unknown as Accounting;
      const { readAccountingInvoices } = createAccountingActivities({ db: scratch, accounting });
      await readAccountingInvoices({ workspaceId: workspace_id, invoiceIds: [id] });
      return (await findAccountingInvoice(scratch.manager, id))!.known[0]!.status;
    };
    await record('submitted');
    t.is(await readBack(() => record('paid')), 'paid');
    await record('submitted');
    t.is(await readBack(async () => undefined), 'authorised');
  });
});
