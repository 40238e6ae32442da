import { Invoice } from './sdk.js';
import { AccountingRefusal } from '../../failures.js';
import {
  assertOurDocument,
  documentIdentity,
  type Accounting,
  type AccountingDocument,
} from '../accounting.js';
import { documentInBooks, type SeenDocument } from '../../../domain/invoices/document-number.js';
import { acceptedElement, isNumberTaken, orNull, type XeroCall } from './client.js';
import { readInvoice, readListedInvoice, toDocument } from './shapes.js';

/** Ids and numbers are part of the URL, whose length is limited. */
const PER_CALL = 100;
const PAGE_SIZE = 1_000;
/** How often a change of status is decided again because the status has changed in the meantime. */
const MAX_MOVES = 3;
/** Suppliers' bills share the endpoint and can have the numbers of our invoices. */
const SALES_ONLY = 'Type=="ACCREC"';
const { SUBMITTED, AUTHORISED, DELETED, VOIDED } = Invoice.StatusEnum;

/** Sales invoices. */
export function createXeroInvoices(
  call: XeroCall,
): Pick<
  Accounting,
  | 'findInvoices'
  | 'listNumbers'
  | 'listInvoices'
  | 'readInvoices'
  | 'readInvoice'
  | 'createInvoice'
  | 'authoriseInvoice'
  | 'voidInvoice'
  | 'setReference'
> {
  return {
    findInvoices,

    async listNumbers(workspaceId, from) {
      const seen: SeenDocument[] = [];
      for (let page = 1; ; page++) {
        const invoices = await listDated(workspaceId, { from, page, summary: true });
        seen.push(...invoices.flatMap((invoice) => documentInBooks(readInvoice(invoice)) ?? []));
        if (invoices.length < PAGE_SIZE) return seen;
      }
    },

    async listInvoices(workspaceId, days, page) {
      const invoices = await listDated(workspaceId, { ...days, page, summary: false });
      return { invoices: invoices.filter(isSale).map(readListedInvoice), last: invoices.length < PAGE_SIZE };
    },

    readInvoices: (workspaceId, ids) => list(workspaceId, ids, 'ids'),

    readInvoice: (workspaceId, id) => orNull(() => read(workspaceId, id)),

    async createInvoice(workspaceId, invoice, status, key) {
      const sent: Invoice = {
        ...toDocument(invoice),
        type: Invoice.TypeEnum.ACCREC,
        invoiceNumber: invoice.number,
        dueDate: invoice.due_date,
        status: status === 'submitted' ? SUBMITTED : AUTHORISED,
      };
      try {
        const { invoices } = await call(workspaceId, (api, tenant) =>
          api.createInvoices(tenant, { invoices: [sent] }, true, undefined, key),
        );
        return readInvoice(acceptedElement(invoices));
      } catch (error) {
        const [taken] = isNumberTaken(error) ? await findInvoices(workspaceId, [invoice.number]) : [];
        if (!taken) throw error;
        return assertOurDocument(taken, documentIdentity(invoice));
      }
    },

    authoriseInvoice: (workspaceId, id, key) =>
      move(workspaceId, id, (now) => (isUnapproved(now) ? AUTHORISED : null), key),

    voidInvoice: (workspaceId, id, key) =>
      move(workspaceId, id, (now) => (isGone(now) ? null : isUnapproved(now) ? DELETED : VOIDED), key),

    setReference: (workspaceId, id, reference, key) => update(workspaceId, id, { reference }, key),
  };

  /**
   * Returns a page of the sales invoices dated on a day or later; with `summary`, without lines and payments.
   */
  async function listDated(
    workspaceId: string,
    { from, to, page, summary }: { from: string; to?: string; page: number; summary: boolean },
  ): Promise<Invoice[]> {
    const xeroDateTime = (day: string): string => `DateTime(${day.split('-').map(Number).join(', ')})`;
    const until = to ? ` AND Date<=${xeroDateTime(to)}` : '';
    const where = `${SALES_ONLY} AND Date>=${xeroDateTime(from)}${until}`;
    const { invoices = [] } = await call(workspaceId, (api, tenant) =>
      // oxfmt-ignore
      api.getInvoices(
        tenant, undefined, where, 'Date ASC', undefined, undefined, undefined, undefined, page,
        undefined, undefined, undefined, summary, PAGE_SIZE,
      ),
    );
    return invoices;
  }

  async function findInvoices(workspaceId: string, numbers: string[]): Promise<AccountingDocument[]> {
    const found = await list(workspaceId, numbers, 'numbers');
    const standing = new Set(found.filter(({ status }) => status !== 'deleted').map(({ number }) => number));
    return found.filter(({ number, status }) => status !== 'deleted' || !standing.has(number));
  }

  /** Returns sales invoices by their ids or numbers. */
  async function list(
    workspaceId: string,
    wanted: string[],
    by: 'ids' | 'numbers',
  ): Promise<AccountingDocument[]> {
    const found: AccountingDocument[] = [];
    for (let start = 0; start < wanted.length; start += PER_CALL) {
      const some = wanted.slice(start, start + PER_CALL);
      const [where, ids, numbers] =
        by === 'ids' ? [undefined, some, undefined] : [SALES_ONLY, undefined, some];
      const { invoices } = await call(workspaceId, (api, tenant) =>
        // Only a paged request returns the references of payments.
        // oxfmt-ignore
        api.getInvoices(
          tenant, undefined, where, undefined, ids, numbers, undefined, undefined, 1,
          undefined, undefined, undefined, undefined, 1000,
        ),
      );
      found.push(...invoices!.filter(isSale).map(readInvoice));
    }
    return found;
  }

  async function read(workspaceId: string, id: string): Promise<AccountingDocument> {
    const { invoices } = await call(workspaceId, (api, tenant) => api.getInvoice(tenant, id));
    const invoice = acceptedElement(invoices);
    if (!isSale(invoice)) throw new AccountingRefusal('not a sales invoice', `${id} is not a sales invoice.`);
    return readInvoice(invoice);
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
    return readInvoice(acceptedElement(invoices));
  }

  /**
   * Changes an invoice's status. Decides again from the current status if that has changed in the meantime.
   */
  async function move(
    workspaceId: string,
    id: string,
    next: (now: AccountingDocument) => Invoice.StatusEnum | null,
    key: string,
  ): Promise<AccountingDocument> {
    let now = await read(workspaceId, id);
    for (let n = 1; ; n++) {
      const status = next(now);
      if (status === null) return now;
      try {
        return await update(workspaceId, id, { status }, `${key}:${n}`);
      } catch (error) {
        if (!(error instanceof AccountingRefusal) || n === MAX_MOVES) throw error;
        const then = await read(workspaceId, id);
        if (then.status === now.status) throw error;
        now = then;
      }
    }
  }
}

const isSale = ({ type }: Invoice): boolean => type === Invoice.TypeEnum.ACCREC;
const isUnapproved = ({ status }: AccountingDocument): boolean =>
  status === 'draft' || status === 'submitted';
const isGone = ({ status }: AccountingDocument): boolean => status === 'voided' || status === 'deleted';
