import { executeChild, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, BATCH, JOB_PAGE, REPORT_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type {
  NightlyReconciliationInput,
  NightlyReconciliationSummary,
  ReconciliationInput,
} from '../contract/reconciliation.js';
import type { Difference } from '../domain/reconciliation/differences.js';
import { inParallel } from './in-parallel.js';
import { proxyTransactions } from './in-task.js';
import { addFailed, showUnfinished } from './unfinished.js';
import { readDisputes } from './start-child.js';
import { starts } from '../contract/starts.js';

const { beginNightlyReconciliation, compileReport, findCreditNotesToReadBack, listInvoicesToReadBack } =
  proxyTransactions();
const { listReconcilable } = proxyTransactions(JOB_PAGE);
const { readCharges, readDisputePage } = proxyActivities<Activities>(REPORT_CALL);
const { readPayments, readRefundedCharges, settleDifferences } = proxyActivities<Activities>({
  ...BATCH,
  retry: { ...BATCH.retry, maximumAttempts: 5 },
});
const { findRepeatedSales, readAccountingInvoices, readCreditNotes } = proxyActivities<Activities>({
  ...ACCOUNTING_CALL,
  retry: { ...ACCOUNTING_CALL.retry, maximumAttempts: 5 },
});

/**
 * Workspaces that are compared at the same time. Their child workflows mostly wait for the outside systems.
 */
const CONCURRENCY = 10;
/** How long to wait for reported payments to be settled before they are compared. */
const SETTLED_WITHIN = ['2 seconds', '5 seconds'] as const;
const EMPTY_SUMMARY: NightlyReconciliationSummary = { workspaces: 0, failed: 0 };

/**
 * Compares processor, ledger and accounting system (docs/rules/billing.md#reconciliation): reads both outside
 * systems, settles what belongs to us, then compares. If the accounting system cannot be read, its last known
 * state is compared, and the report says so. Returns the reconciliation's id.
 */
export async function reconciliation(input: ReconciliationInput): Promise<string> {
  const { reconciliationId: id, workspaceId, notifyOwner } = input;
  const attention = new Attention();
  attention.showStatus('Reading the connected account and the accounting system.');
  const repeatedSales: Difference[] = [];
  const [processor, accounting] = await Promise.all([
    succeeds(() => Promise.all([readChargePages(id), readDisputePages(id)])),
    succeeds(async () => {
      await Promise.all([readInvoices(id, workspaceId), readCreditNotePages(id)]);
      await findRepeatedSalePages(id, repeatedSales);
    }),
  ]);
  if (!accounting)
    attention.showStatus('The accounting system cannot be read. Comparing with its last known state.');
  if (processor) await succeeds(() => settleOurs(id));
  const read = { processor, accounting };
  const differences = await compileReport({ id, read, notifyOwner, repeatedSales });
  if (differences > 0) attention.raise('the reconciliation', `found ${differences} differences: see ${id}.`);
  return id;
}

/**
 * The nightly reconciliation of every workspace, page by page. Differences raise attention, and the owner
 * gets mail. A workspace that cannot be compared does not stop the others, and is listed.
 */
export async function nightlyReconciliation({
  workspaceId,
  resume,
}: NightlyReconciliationInput = {}): Promise<NightlyReconciliationSummary> {
  const attention = new Attention();
  const summary: NightlyReconciliationSummary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  let after = resume?.after ?? '';
  for (;;) {
    const page = await listReconcilable({ workspaceId, after });
    if (page.length === 0) break;
    attention.showStatus(`Reconciling from ${page[0]} on; ${summary.workspaces} workspaces done.`);
    await inParallel(page, CONCURRENCY, compare);
    after = page.at(-1)!;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof nightlyReconciliation>({
        workspaceId,
        resume: { after, summary },
      });
  }
  showUnfinished(attention, 'the nightly reconciliation', summary);
  return summary;

  async function compare(current: string): Promise<void> {
    const done = await succeeds(async () => {
      const reconciliationId = await beginNightlyReconciliation(current);
      const input = { reconciliationId, workspaceId: current, notifyOwner: true };
      const { taskQueue } = workflowInfo();
      await executeChild(reconciliation, starts(taskQueue).reconciliation(input, 'nightly'));
    });
    summary.workspaces++;
    if (!done) addFailed(summary, [current]);
  }
}

/**
 * Has what the ledger lacks settled as if a webhook had reported it, and reads it again. What remains is for
 * a person.
 */
async function settleOurs(id: string): Promise<void> {
  for (let after: string | null = null; ;) {
    after = await readRefundedCharges({ id, after });
    if (after === null) break;
  }
  await readPayments({ id });
  for (const wait of SETTLED_WITHIN) {
    const payments = await settleDifferences(id);
    if (payments.length === 0) return;
    await sleep(wait, { summary: 'let what was reported be settled' });
    await readPayments({ id, payments });
  }
}

async function readChargePages(id: string): Promise<void> {
  let after: string | null = null;
  do after = await readCharges({ id, after });
  while (after !== null);
}

async function readInvoices(id: string, workspaceId: string): Promise<void> {
  for (let page = await listInvoicesToReadBack({ id, after: '' }); page.length > 0;) {
    await readAccountingInvoices({ workspaceId, invoiceIds: page });
    page = await listInvoicesToReadBack({ id, after: page.at(-1)! });
  }
}

async function readCreditNotePages(id: string): Promise<void> {
  const from = await findCreditNotesToReadBack(id);
  if (from === null) return;
  for (let page: number | null = 1; page !== null;) page = await readCreditNotes({ id, from, page });
}

/**
 * Finds the sales that the accounting system has twice. It must have been read back first, so that a sale
 * that is void there is not included.
 */
async function findRepeatedSalePages(id: string, repeatedSales: Difference[]): Promise<void> {
  for (let page: number | null = 1; page !== null;) {
    const found: Awaited<ReturnType<typeof findRepeatedSales>> = await findRepeatedSales({ id, page });
    repeatedSales.push(...found.differences);
    page = found.next;
  }
}

/**
 * Reads the processor's disputes. Those that the ledger lacks, for example because webhooks were lost, are
 * stored first.
 */
async function readDisputePages(id: string): Promise<void> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readDisputePage>> = await readDisputePage({ id, after });
    for (const paymentIntentId of page.outdated) await readDisputes(paymentIntentId);
    after = page.last;
  } while (after !== null);
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
