import { InvoiceCounter, InvoiceNumberGap } from '../../db/entities/invoices.js';
import { insertIfAbsent } from '../../db/insert.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Continues a workspace's invoice numbers above one that was seen elsewhere, so that a number which a restore has lost is
 * not given again (docs/rules/billing.md#numbers-and-references). The gap is recorded.
 */
export async function continueNumbersAbove(
  tx: Tx,
  workspace_id: string,
  seen: number,
  seen_by: InvoiceNumberGap['seen_by'],
): Promise<void> {
  await insertIfAbsent(tx, InvoiceCounter, { workspace_id });
  const lock = { mode: 'pessimistic_write' } as const;
  const { last_number } = await tx.findOneOrFail(InvoiceCounter, { where: { workspace_id }, lock });
  if (seen <= last_number) return;
  const gap = { first_number: last_number + 1, last_number: seen };
  await tx.insert(InvoiceNumberGap, { workspace_id, ...gap, seen_by });
  await tx.update(InvoiceCounter, { workspace_id }, { last_number: seen });
}
