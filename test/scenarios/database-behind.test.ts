import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { DataSource } from 'typeorm';
import { withScratchDatabase } from '../support/scratch-database.js';
import {
  accountingLedger,
  removeBooks,
  untilInAccounting,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { client } from '../support/api-client.js';
import { aged } from '../support/aged-backup.js';
import { backUp, restore, type Backup } from '../support/backup.js';
import { bookingBody, createBooking, hoursLater, untilStatus } from '../support/bookings.js';
import { repeatedPurposes, sweep } from '../support/invariants.js';
import { newAutopayer, openOwnWorkspace, payAndReturn, startService } from '../support/own-workspace.js';
import type { OwnService } from '../support/own-service.js';
import { newInvoice, newPayer } from '../support/payers.js';
import { mailTo, processorLedger } from '../support/simulators.js';
import { newNamespace } from '../support/temporal.js';
import { until } from '../support/until.js';
import { newRoom, findOwnerEmail, uniqueEmail, untilRecovered } from '../support/workspaces.js';

const home = dirname(process.env.HOLDFAST_DEV_JSON!);
const { SMTP_PORT } = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8')).named;

/*
 * A database that lost something, without a setting: charges, refunds and numbers from the gap are not made
 * again. `BEHIND=all` tests every combination, `BEHIND=rewound` those with this in their names.
 */

interface Case {
  /** How many seconds before now the database ends. */
  gap: number;
  temporal: 'kept' | 'emptied';
  books: boolean;
  /**
   * promoted: the rows are exchanged under running workers, as by a failover; rewound: the same, but only the
   * beats show it; restored: into another database, with new processes; rewound_restarted: into the same one,
   * with new processes.
   */
  how: 'promoted' | 'rewound' | 'restored' | 'rewound_restarted';
}

const ALL: Case[] = [2, 60, 660].flatMap((gap) =>
  [true, false].flatMap((books): Case[] => [
    { gap, books, temporal: 'kept', how: 'promoted' },
    { gap, books, temporal: 'kept', how: 'rewound' },
    { gap, books, temporal: 'kept', how: 'restored' },
    { gap, books, temporal: 'kept', how: 'rewound_restarted' },
    { gap, books, temporal: 'emptied', how: 'restored' },
    { gap, books, temporal: 'emptied', how: 'rewound_restarted' },
  ]),
);
const SOME: Case[] = [
  { gap: 2, books: true, temporal: 'kept', how: 'rewound' },
  { gap: 60, books: false, temporal: 'kept', how: 'promoted' },
  { gap: 660, books: true, temporal: 'emptied', how: 'restored' },
  { gap: 60, books: false, temporal: 'kept', how: 'rewound_restarted' },
];

const caseTitle = ({ gap, temporal, books, how }: Case): string =>
  `${how}, ${gap} s behind, Temporal ${temporal}, ${books ? 'with' : 'without'} books`;

const { BEHIND } = process.env;
const CHOSEN = BEHIND ? ALL.filter((each) => BEHIND === 'all' || caseTitle(each).includes(BEHIND)) : SOME;

// More concurrent ones overload a development machine.
const run = BEHIND ? test.serial : test;

for (const behind of CHOSEN)
  run(`nothing is done twice by a database that is ${caseTitle(behind)}`, async (t) => {
    await withScratchDatabase(async (lost, lostUrl) => {
      const queue = { TEMPORAL_TASK_QUEUE: `behind-${uniqueEmail().split('@')[0]}` };
      const settings = {
        ...queue,
        SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
        OPERATOR_EMAILS: uniqueEmail(),
        TEMPORAL_NAMESPACE: await newNamespace(),
      };
      const before = await startService(lostUrl, settings);
      t.teardown(before.stop);
      await loseAndGoOn(t, behind, { before, lost, lostUrl, settings });
    });
  });

interface Scene {
  before: OwnService;
  lost: DataSource;
  lostUrl: string;
  settings: Record<string, string> & { OPERATOR_EMAILS: string };
}

/** Replaces the database by the backup. Calls `work` with the service and the database that continue. */
async function exchange(
  t: ExecutionContext,
  { how, temporal }: Case,
  { before, lost, lostUrl, settings }: Scene,
  backup: Backup,
  work: (service: OwnService, db: DataSource) => Promise<void>,
): Promise<void> {
  const marks = JSON.stringify(await lost.query(`SELECT * FROM database_marks`));
  if (how === 'rewound' || how === 'rewound_restarted') backup.set('database_marks', marks);
  const again = { ...settings, ...(temporal === 'emptied' && { TEMPORAL_NAMESPACE: await newNamespace() }) };
  const start = async (url: string): Promise<OwnService> => {
    const after = await startService(url, again);
    t.teardown(after.stop);
    return after;
  };
  if (how === 'promoted' || how === 'rewound') {
    await restore(lost, backup);
    return work(before, lost);
  }
  await before.stop();
  if (how === 'rewound_restarted') {
    await restore(lost, backup);
    return work(await start(lostUrl), lost);
  }
  await withScratchDatabase(async (restored, url) => {
    await restore(restored, backup);
    await work(await start(url), restored);
  });
}

async function loseAndGoOn(t: ExecutionContext, behind: Case, scene: Scene): Promise<void> {
  const { before, lost, settings } = scene;
  const workspace = await openOwnWorkspace(before, lost);
  if (!behind.books) await removeBooks(lost, [workspace.id]);
  const { api } = workspace;
  const book = async () => {
    const room = await newRoom(api, { refund_steps: [{ hours_before: 0, percent: 50 }] });
    const booking = await createBooking(api, bookingBody(room.id));
    await payAndReturn(booking);
    return untilStatus(api, booking.id, 'confirmed');
  };
  const payer = await newAutopayer(workspace);
  const [cancelled, moved, returned] = [await book(), await book(), await book()];
  const noteNumbers = async (of: AccountingWorkspace): Promise<string[]> => {
    const { body } = await of.api.get(`/v1/invoices/${returned.invoice_id}`);
    return body.documents
      .filter(({ kind }) => kind === 'credit_note')
      .map(({ number, total_minor }) => `${number} ${total_minor}`)
      .toSorted();
  };
  const returnPart = async ({ api }: AccountingWorkspace, amount_minor: number): Promise<void> => {
    const { body } = await api.get(`/v1/payments?booking_id=${returned.id}`);
    const { id } = body.data.find(({ kind }) => kind === 'charge')!;
    const { status } = await api.post(`/v1/payments/${id}/refund`, { amount_minor });
    t.is(status, 200);
    await until(async () =>
      (await noteNumbers({ ...workspace, api })).some((note) => note.endsWith(` ${amount_minor}`)),
    );
  };
  const collected = await newInvoice(workspace, payer, 1);
  await until(async () => (await lost.query(`SELECT FROM accounting_due`)).length === 0);
  const backup = await aged(await backUp(lost), Math.max(0, behind.gap - 2));

  // What the backup lacks: card charges for an invoice, for an invoice that is itself lost and for a change,
  // refunds, an invoice.
  const collect = async (id: string): Promise<void> => {
    await lost.query(`UPDATE invoices SET due_at = now() WHERE id = $1`, [id]);
    await lost.query(`UPDATE collections SET next_at = now(), notify_at = now() WHERE invoice_id = $1`, [id]);
    await until(async () => (await api.get(`/v1/invoices/${id}`)).body.status === 'paid');
  };
  await collect(collected.id);
  const given = [collected.document_number!];
  const forgotten = await newInvoice(workspace, payer, 1);
  await collect(forgotten.id);
  given.push(forgotten.document_number!);
  await api.post(`/v1/bookings/${cancelled.id}/cancel`);
  const longer = { end_at: hoursLater(moved.end_at, 1) };
  t.is((await api.patch(`/v1/bookings/${moved.id}`, longer)).status, 200);
  for (const amount of [200, 300]) await returnPart(workspace, amount);
  const givenNotes = await noteNumbers(workspace);
  if (behind.books) {
    for (const note of givenNotes) await untilInAccounting(workspace, note.split(' ')[0]!);
    const known = await newInvoice(workspace, (await newPayer(workspace)).id, 30);
    await before.internal('run_job', { job: 'accounting_sync' });
    await untilInAccounting(workspace, known.document_number!);
    given.push(known.document_number!);
  }
  await until(async () => (await processorLedger(workspace)).refunds.length === 3);
  const made = (await processorLedger(workspace)).charges.length;
  t.is(made, 6);

  await exchange(t, behind, scene, backup, async (service, db) => {
    const api = client(workspace.api.token, service.baseUrl);
    const again = { ...workspace, api };
    const invoice = (): Promise<{ status: number; body: { document_number: string | null } }> =>
      api.post('/v1/invoices', {
        company_id: payer,
        currency: 'GBP',
        due_at: hoursLater(new Date().toISOString(), 24 * 30),
        lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 10_000, tax_code: 'ZERO' }],
      });
    // A rewound database is noticed by the next beat, within a second.
    if (behind.how === 'rewound')
      await until(
        async () => (await db.query(`SELECT FROM recovery WHERE found_since IS NOT NULL`)).length > 0,
      );
    const asked = performance.now();
    const created = await until(async () => {
      const { status, body } = await invoice();
      if (status === 503) return null;
      t.is(status, 201);
      return body;
    });
    t.log(`numbers were given after ${Math.round(performance.now() - asked)} ms`);
    t.false(given.includes(created.document_number!), `${created.document_number} was given before`);
    await untilRecovered({ api });
    await until(async () => (await api.get(`/v1/invoices/${collected.id}`)).body.status === 'paid');
    await until(async () => (await noteNumbers(again)).length === givenNotes.length);
    // Nothing else records which refund had which number.
    if (behind.books)
      t.deepEqual(await noteNumbers(again), givenNotes, 'credit notes have the numbers that payers have');
    await returnPart(again, 400);
    // The client requests again what was lost.
    await api.post(`/v1/bookings/${cancelled.id}/cancel`);
    await untilStatus(api, cancelled.id, 'cancelled');
    await api.patch(`/v1/bookings/${moved.id}`, longer);
    await until(async () => (await api.get(`/v1/bookings/${moved.id}`)).body.end_at === longer.end_at);
    await service.internal('run_job', { job: 'self_heal' });
    await service.internal('run_job', { job: 'accounting_sync' });
    await until(async () => (await db.query(`SELECT FROM accounting_due`)).length === 0);
    if (behind.books) {
      const { invoices, credit_notes } = await accountingLedger(workspace);
      const notes = credit_notes.map(({ CreditNoteNumber }) => CreditNoteNumber);
      t.deepEqual(notes, [...new Set(notes)]);
      const numbers = invoices.map(({ InvoiceNumber }) => InvoiceNumber);
      t.deepEqual(numbers, [...new Set(numbers)]);
    }
    await until(async () =>
      (await processorLedger(workspace)).refunds.every(({ status }) => status !== 'pending'),
    );
    const { charges, refunds } = await processorLedger(workspace);
    const kept = charges.filter(({ amount, amount_refunded }) => amount > amount_refunded);
    t.deepEqual(repeatedPurposes(kept), []);
    const difference = kept.filter(({ metadata }) => metadata.booking_id === moved.id && metadata.change_id);
    t.is(difference.length, 1, 'the change was charged once');
    t.is(refunds.filter(({ amount }) => amount === 1_500).length, 1, 'the cancellation was refunded once');
    await sweep(t, again, db);

    const entries = await db.query(
      `SELECT FROM audit_log WHERE workspace_id = $1 AND action = 'database.behind'`,
      [workspace.id],
    );
    t.true(entries.length > 0, 'the audit log says it');
    const owner = await findOwnerEmail(workspace.id, db);
    for (const to of [owner, settings.OPERATOR_EMAILS])
      await until(async () => (await mailTo(to)).some(({ subject }) => /paused|behind/.test(subject)));
  });
}
