import { AccountingRefusal } from '../../failures.js';
import type { Accounting, AccountingDocument, AccountingPayment, NewDocumentPayment } from '../accounting.js';
import { acceptedElement, type XeroCall } from './client.js';
import { readPayment, toAmount } from './shapes.js';

const ACCOUNT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Documents = Pick<Accounting, 'readInvoice' | 'readCreditNote'>;

/** Creates payments of invoices and refunds of credit notes. */
export function createXeroPayments(
  call: XeroCall,
  documents: Documents,
): Pick<Accounting, 'payInvoice' | 'refundCreditNote'> {
  return {
    payInvoice: (workspaceId, payment, key) =>
      pay(workspaceId, payment, { invoice: { invoiceID: payment.document_id } }, key, () =>
        documents.readInvoice(workspaceId, payment.document_id),
      ),

    refundCreditNote: (workspaceId, refund, key) =>
      pay(workspaceId, refund, { creditNote: { creditNoteID: refund.document_id } }, key, () =>
        documents.readCreditNote(workspaceId, refund.document_id),
      ),
  };

  /** Creates a payment. If it is refused because an earlier attempt created it, returns that payment. */
  async function pay(
    workspaceId: string,
    { account, reference, amount_minor, currency, date }: NewDocumentPayment,
    document: { invoice: { invoiceID: string } } | { creditNote: { creditNoteID: string } },
    key: string,
    readDocument: () => Promise<AccountingDocument | null>,
  ): Promise<AccountingPayment> {
    const amount = toAmount(amount_minor, currency);
    // Bank accounts do not need a code in Xero.
    const named = ACCOUNT_ID.test(account) ? { accountID: account } : { code: account };
    const sent = { ...document, account: named, date, amount, reference };
    try {
      const { payments } = await call(workspaceId, (api, tenant) => api.createPayment(tenant, sent, key));
      return readPayment(acceptedElement(payments), currency);
    } catch (error) {
      if (!(error instanceof AccountingRefusal)) throw error;
      const earlier = (await readDocument())?.payments.find((each) => each.reference === reference);
      if (!earlier) throw error;
      return earlier;
    }
  }
}
