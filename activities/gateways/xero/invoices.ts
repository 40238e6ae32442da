import { Invoice } from 'xero-node';
import { AccountingRefusal } from '../../failures.js';
import type { Accounting, AccountingDocument } from '../accounting.js';
import { isNumberTaken, orNull, type XeroCall } from './client.js';
import { readInvoice, toDocument } from './shapes.js';

const NUMBERS_PER_CALL = 100;
const { SUBMITTED, AUTHORISED, DELETED, VOIDED } = Invoice.StatusEnum;

/** Sales invoices. */
export function createXeroInvoices(
  call: XeroCall,
  salesAccount: string,
): Pick<
  Accounting,
  'findInvoices' | 'readInvoice' | 'createInvoice' | 'authoriseInvoice' | 'voidInvoice' | 'setReference'
> {
  return {
    findInvoices,

    readInvoice: (workspaceId, id) => orNull(() => read(workspaceId, id)),

    async createInvoice(workspaceId, invoice, status, key) {
      const sent: Invoice = {
        ...toDocument(invoice, salesAccount),
        type: Invoice.TypeEnum.ACCREC,
        invoiceNumber: invoice.number,
        dueDate: invoice.due_date,
        status: status === 'submitted' ? SUBMITTED : AUTHORISED,
      };
      try {
        const { invoices } = await call(workspaceId, (api, tenant) =>
          api.createInvoices(tenant, { invoices: [sent] }, undefined, undefined, key),
        );
        return readInvoice(invoices![0]!);
      } catch (error) {
        const [taken] = isNumberTaken(error) ? await findInvoices(workspaceId, [invoice.number]) : [];
        if (taken?.reference !== invoice.reference) throw error;
        return taken;
      }
    },

    authoriseInvoice: (workspaceId, id, key) =>
      move(workspaceId, id, (now) => (isUnapproved(now) ? AUTHORISED : null), key),

    voidInvoice: (workspaceId, id, key) =>
      move(workspaceId, id, (now) => (isGone(now) ? null : isUnapproved(now) ? DELETED : VOIDED), key),

    setReference: (workspaceId, id, reference, key) => update(workspaceId, id, { reference }, key),
  };

  async function findInvoices(workspaceId: string, numbers: string[]): Promise<AccountingDocument[]> {
    const found: AccountingDocument[] = [];
    for (let start = 0; start < numbers.length; start += NUMBERS_PER_CALL) {
      const some = numbers.slice(start, start + NUMBERS_PER_CALL);
      const { invoices } = await call(workspaceId, (api, tenant) =>
        // Only a paged request returns the references of payments.
        // prettier-ignore
        api.getInvoices(
          tenant, undefined, undefined, undefined, undefined, some, undefined, undefined, 1,
          undefined, undefined, undefined, undefined, 1000,
        ),
      );
      found.push(...invoices!.map(readInvoice));
    }
    const inUse = new Set(found.filter(({ status }) => status !== 'deleted').map(({ number }) => number));
    return found.filter(({ number, status }) => status !== 'deleted' || !inUse.has(number));
  }

  async function read(workspaceId: string, id: string): Promise<AccountingDocument> {
    const { invoices } = await call(workspaceId, (api, tenant) => api.getInvoice(tenant, id));
    return readInvoice(invoices![0]!);
  }

  async function update(
    workspaceId: string,
    id: string,
    change: Invoice,
    key: string,
  ): Promise<AccountingDocument> {
    const { invoices } = await call(workspaceId, (api, tenant) =>
      api.updateInvoice(tenant, id, { invoices: [change] }, undefined, key),
    );
    return readInvoice(invoices![0]!);
  }

  /** Changes an invoice's status. Decides again from the current status if that has changed meanwhile. */
  async function move(
    workspaceId: string,
    id: string,
    next: (now: AccountingDocument) => Invoice.StatusEnum | null,
    key: string,
  ): Promise<AccountingDocument> {
    const now = await read(workspaceId, id);
    const status = next(now);
    if (status === null) return now;
    try {
      return await update(workspaceId, id, { status }, key);
    } catch (error) {
      if (!(error instanceof AccountingRefusal)) throw error;
      const then = await read(workspaceId, id);
      if (then.status === now.status) throw error;
      return move(workspaceId, id, next, `${key}:again`);
    }
  }
}

const isUnapproved = ({ status }: AccountingDocument): boolean =>
  status === 'draft' || status === 'submitted';
const isGone = ({ status }: AccountingDocument): boolean => status === 'voided' || status === 'deleted';
