import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type { AccountingReadInput } from './contract.js';

const { listBookedInvoices, listBooksToKeep } = proxyActivities<Activities>(TRANSACTION);
const { readBooks } = proxyActivities<Activities>(ACCOUNTING_CALL);

/**
 * Reads all invoices that are in the books, a hundred a call, and notes what the books say of them: before references
 * are repaired, and before ledger and books are compared. Returns how many there are.
 */
export async function accountingRead({ workspaceId }: AccountingReadInput): Promise<number> {
  const attention = new Attention();
  let read = 0;
  for (const current of await listBooksToKeep({ workspaceId })) {
    for (let after = ''; ;) {
      const invoiceIds = await listBookedInvoices({ workspaceId: current, after });
      if (invoiceIds.length === 0) break;
      attention.waitFor(`Reading the books of ${current}: ${read} invoices read.`);
      await readBooks({ workspaceId: current, invoiceIds });
      read += invoiceIds.length;
      after = invoiceIds.at(-1)!;
    }
  }
  return read;
}
