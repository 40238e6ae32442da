import { randomUUID } from 'node:crypto';
import { readDay, today } from '../dates.js';
import { Refused, refuseFor } from '../http/errors.js';
import type { Allocation, Document, Organisation, Payment } from '../state/records.js';
import type { Store } from '../state/store.js';
import { toCents } from './amounts.js';
import { computeBalance, keep, documentTable } from './balance.js';
import { findAccount, lockProblem } from './organisation.js';

/** The fields of a payment request, except its document. */
export interface PaymentInput {
  Account?: { AccountID?: string; Code?: string };
  Date?: string;
  Amount: number;
  CurrencyRate?: number;
  Reference?: string;
}

/** Pays an approved invoice or refunds an approved credit note, up to what is left. */
export function createPayment(
  store: Store,
  organisation: Organisation,
  document: Document,
  input: PaymentInput,
  idempotencyKey: string | null,
): Payment {
  const { AccountID: accountId, Code: code } = input.Account ?? {};
  const account = findAccount(organisation, { id: accountId, code });
  const cents = toCents(input.Amount);
  const date = input.Date === undefined ? today() : readDay(input.Date);
  const problems: string[] = [];
  if (!account) problems.push('Account could not be found');
  else if (account.type !== 'BANK' && !account.payments)
    problems.push(`Account code '${account.code}' is not enabled for payments`);
  if (!date) problems.push(`The date '${input.Date}' is not a valid date`);
  const locked = date && lockProblem(organisation, date);
  if (locked) problems.push(locked);
  if (cents <= 0) problems.push('The payment amount must be greater than zero');
  refuseFor([...problems, ...settleProblems(store, document, cents, 'Payments', 'Payment')]);
  const payment: Payment = {
    id: randomUUID(),
    tenant: organisation.tenant_id,
    document_id: document.id,
    account_id: account!.id,
    date: date!,
    cents,
    currency_rate: input.CurrencyRate ?? 1,
    reference: input.Reference ?? '',
    status: 'AUTHORISED',
    updated_at: Date.now(),
    idempotency_key: idempotencyKey,
  };
  store.payments.set(payment.id, payment);
  keep(store, { ...document, fully_paid_on: payment.date });
  return payment;
}

/** Deletes a payment. Its amount becomes due again. */
export function deletePayment(store: Store, payment: Payment): Payment {
  if (payment.status === 'DELETED') throw new Refused(['The payment has already been deleted']);
  const deleted: Payment = { ...payment, status: 'DELETED', updated_at: Date.now() };
  store.payments.set(payment.id, deleted);
  const document = store.invoices.get(payment.document_id) ?? store.credit_notes.get(payment.document_id);
  if (document) keep(store, document);
  return deleted;
}

/** Allocates an amount of a credit note to an invoice. */
export function allocate(
  store: Store,
  note: Document,
  invoice: Document,
  input: { Amount: number; Date?: string },
): Allocation {
  const cents = toCents(input.Amount);
  const problems = cents <= 0 ? ['The amount allocated must be greater than zero'] : [];
  for (const document of [note, invoice])
    problems.push(...settleProblems(store, document, cents, 'Allocations', 'Allocation'));
  refuseFor(problems);
  const allocation: Allocation = {
    id: randomUUID(),
    tenant: note.tenant,
    credit_note_id: note.id,
    invoice_id: invoice.id,
    cents,
    date: (input.Date && readDay(input.Date)) || today(),
  };
  store.allocations.set(allocation.id, allocation);
  for (const document of [note, invoice]) keep(store, documentTable(store, document).get(document.id)!);
  return allocation;
}

function settleProblems(
  store: Store,
  document: Document,
  cents: number,
  what: 'Payments' | 'Allocations',
  one: 'Payment' | 'Allocation',
): string[] {
  const problems: string[] = [];
  if (document.status !== 'AUTHORISED')
    problems.push(`${what} can only be made against Authorised documents`);
  if (cents > computeBalance(store, document).left)
    problems.push(`${one} amount exceeds the amount outstanding on this document`);
  return problems;
}
