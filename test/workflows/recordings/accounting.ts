import { workflowIds } from '../../../contract/names.js';
import { newAccountingWorkspace, openInvoice, syncAccounting } from '../../support/accounting.js';
import { internal } from '../../support/api-client.js';
import type { Recorder } from './recorder.js';

/** Runs that call the accounting system. */
export async function recordAccounting(recorder: Recorder): Promise<void> {
  const workspace = await newAccountingWorkspace();
  await recorder.saveAny('accounting-consent', 'accountingConsent');
  const invoice = await openInvoice(workspace);
  await openInvoice(workspace);
  await syncAccounting(workspace);
  await recorder.saveAny('accounting-sync', 'accountingSync');
  await recorder.saveAny('workspace-accounting-sync', 'workspaceAccountingSync');
  await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'for the record' });
  await recorder.saveEnded('invoice-accounting', workflowIds.invoiceAccounting(invoice.id));
  await internal('backfill_reference', { workspace_id: workspace.id, dry_run: true });
  await recorder.saveAny('accounting-read', 'accountingRead');
  await workspace.api.post('/v1/workspace/accounting/refresh');
  await recorder.saveAny('accounting-connection', 'accountingConnection');
}
