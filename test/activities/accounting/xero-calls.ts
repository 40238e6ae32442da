import type { NewDocumentPayment } from '../../../activities/gateways/accounting.js';
import type { Rig } from '../../support/accounting-rig.js';
import { gatewayFor } from './xero-rig.js';

export async function open(rig: Rig) {
  const books = await rig.books();
  return { books, accounting: gatewayFor(rig, books), ledger: () => rig.ledger(books.tenant) };
}

export const INVOICES = '/api.xro/2.0/Invoices*';

export const loseAnswer = (rig: Rig, method: string, path: string) =>
  rig.sim('faults', { fail: [{ method, path, status: 0, after_effect: true }] });

export const payment = (
  document_id: string,
  overrides: Partial<NewDocumentPayment> = {},
): NewDocumentPayment => ({
  document_id,
  account: '090',
  reference: 'pay_1',
  amount_minor: 3000,
  currency: 'GBP',
  date: '2026-10-02',
  ...overrides,
});
