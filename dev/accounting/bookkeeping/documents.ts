import { randomUUID } from 'node:crypto';
import { readDay, today } from '../dates.js';
import { Refused, refuseFor } from '../http/errors.js';
import type { Document, LineAmountTypes, Organisation, Status } from '../state/records.js';
import type { Store } from '../state/store.js';
import { computeBalance, isSettledInPart, keep, documentTable } from './balance.js';
import { createContact, findContact, type ContactInput } from './contacts.js';
import { mergeLines, priceLine, type LineInput } from './lines.js';
import { lockProblem } from './organisation.js';

/** The fields that invoices and credit notes share in a request. */
export interface DocumentInput {
  id?: string;
  number?: string;
  Type?: string;
  Reference?: string;
  Contact?: ContactInput;
  Date?: string;
  DueDate?: string;
  Status?: Status;
  LineAmountTypes?: LineAmountTypes;
  LineItems?: LineInput[];
  CurrencyCode?: string;
  CurrencyRate?: number;
  Url?: string;
  SentToContact?: boolean;
}

/** The context in which a document is validated: its organisation, type and options of the request. */
export interface DocumentContext {
  store: Store;
  organisation: Organisation;
  type: Document['type'];
  unitDecimals: number;
  idempotencyKey: string | null;
}

/** The context of a document that is not created or changed through the API. */
export const internalDocumentContext = (
  store: Store,
  organisation: Organisation,
  type: Document['type'],
): DocumentContext => ({
  store,
  organisation,
  type,
  unitDecimals: 4,
  idempotencyKey: null,
});

/** Creates an approved document with one line. */
export function createApproved(
  context: DocumentContext,
  input: Omit<DocumentInput, 'Status' | 'LineItems'>,
  line: LineInput,
): Document {
  return createDocument(context, { ...input, LineItems: [line], Status: 'AUTHORISED' });
}

/** Allowed status changes. PAID results from payments (`keep`) and cannot be set. */
const MOVES: Record<Status, Status[]> = {
  DRAFT: ['DRAFT', 'SUBMITTED', 'AUTHORISED', 'DELETED'],
  SUBMITTED: ['SUBMITTED', 'DRAFT', 'AUTHORISED', 'DELETED'],
  AUTHORISED: ['AUTHORISED', 'VOIDED'],
  PAID: ['PAID'],
  VOIDED: [],
  DELETED: [],
};

const NAMES = {
  ACCREC: 'Invoice',
  ACCPAY: 'Invoice',
  ACCRECCREDIT: 'Credit note',
  ACCPAYCREDIT: 'Credit note',
};

const isPurchase = (type: Document['type']): boolean => type.startsWith('ACCPAY');

/** Creates a document. */
export function createDocument(context: DocumentContext, input: DocumentInput): Document {
  const { organisation, type } = context;
  const status = input.Status ?? 'DRAFT';
  if (!['DRAFT', 'SUBMITTED', 'AUTHORISED'].includes(status))
    throw new Refused([`${NAMES[type]} not of valid status for creation`]);
  return save(context, input, {
    id: randomUUID(),
    tenant: organisation.tenant_id,
    type,
    number: '',
    reference: '',
    contact_id: '',
    date: today(),
    due_date: null,
    status,
    line_amount_types: 'Exclusive',
    lines: [],
    currency: organisation.currency,
    currency_rate: 1,
    url: null,
    sent: false,
    fully_paid_on: null,
    updated_at: 0,
    idempotency_key: context.idempotencyKey,
  });
}

/**
 * Updates the given fields of a document. If it has payments or allocations, only fields that affect no
 * amount are updated and the others are ignored, as Xero does.
 */
export function updateDocument(given: DocumentContext, document: Document, input: DocumentInput): Document {
  const { type } = document;
  const context: DocumentContext = { ...given, type };
  const { store } = context;
  const invalid = new Refused([`${NAMES[type]} not of valid status for modification`]);
  const status = input.Status ?? document.status;
  if (!MOVES[document.status].includes(status)) throw invalid;
  if (!isSettledInPart(store, document)) return save(context, input, { ...document, status });
  if (status === 'VOIDED')
    throw new Refused(['This document cannot be edited as it has a payment or credit note allocated to it.']);
  const { number, Reference, DueDate, Url, SentToContact } = input;
  return save(context, { number, Reference, DueDate, Url, SentToContact }, document);
}

/** Finds a document by its id, or else by its number. Deleted ones are found by their id only. */
export function findDocument(context: DocumentContext, { id, number }: { id?: string; number?: string }) {
  const own = [...documentTable(context.store, context).values()].filter(
    ({ tenant }) => tenant === context.organisation.tenant_id,
  );
  if (id) return own.find((document) => document.id === id);
  return own.find(
    (document) =>
      document.number === number && document.type === context.type && document.status !== 'DELETED',
  );
}

function save(context: DocumentContext, input: DocumentInput, base: Document): Document {
  const { store, organisation, type, unitDecimals } = context;
  const problems: string[] = [];
  if (input.Type !== undefined && input.Type !== type)
    problems.push(`The accounting simulator keeps ${type} here, not ${input.Type}.`);
  const line_amount_types = input.LineAmountTypes ?? base.line_amount_types;
  const use = isPurchase(type) ? ('on_expenses' as const) : ('on_income' as const);
  const terms = { organisation, lineAmountTypes: line_amount_types, unitDecimals, use };
  // Ignores an empty list, which clients send with a change of status.
  const lines = input.LineItems?.length
    ? mergeLines(base.lines, input.LineItems).map((line) => priceLine(line, terms, problems))
    : base.lines;
  const document: Document = {
    ...base,
    number: input.number ?? (base.number || nextNumber(context)),
    reference: input.Reference ?? base.reference,
    contact_id: contactFor(context, input, base, problems),
    date: parseDay(input.Date, problems) ?? base.date,
    due_date: parseDay(input.DueDate, problems) ?? base.due_date,
    line_amount_types,
    lines,
    currency: input.CurrencyCode ?? base.currency,
    currency_rate: input.CurrencyRate ?? base.currency_rate,
    url: input.Url ?? base.url,
    sent: input.SentToContact ?? base.sent,
  };
  refuseFor([...problems, ...validateDocument(context, document)]);
  return keep(store, document);
}

/** Validates a document by Xero's rules. */
function validateDocument(context: DocumentContext, document: Document): string[] {
  const { store, organisation, type } = context;
  const { id, number, status, lines, currency } = document;
  const problems: string[] = [];
  if (!isPurchase(type) && status !== 'DELETED' && isTaken(context, number, id))
    problems.push(type === 'ACCREC' ? 'Invoice # must be unique.' : 'Credit Note # must be unique.');
  const locked = status !== 'DRAFT' && lockProblem(organisation, document.date);
  if (locked) problems.push(locked);
  const { currencies } = organisation;
  if (currency !== organisation.currency && currencies && !currencies.includes(currency))
    problems.push(`Organisation is not subscribed to currency ${currency}`);
  if (lines.length === 0) problems.push('One or more line items must be specified');
  if (status !== 'DRAFT') {
    if (lines.some(({ description }) => !description)) problems.push('Description must be specified');
    if (lines.some(({ account_code }) => !account_code)) problems.push('Account code must be specified');
  }
  if (computeBalance(store, document).total < 0) problems.push('The document total cannot be negative');
  return problems;
}

/** True if another document has the number. Only the numbers of suppliers, on bills, need not be unique. */
function isTaken({ store, organisation, type }: DocumentContext, number: string, id: string): boolean {
  const { tenant_id, frees_deleted_numbers } = organisation;
  return [...documentTable(store, { type }).values()].some(
    (other) =>
      other.tenant === tenant_id &&
      other.type === type &&
      other.number === number &&
      other.id !== id &&
      !(frees_deleted_numbers && other.status === 'DELETED'),
  );
}

/** Finds the contact of a document, or creates one if only a name is given. */
function contactFor(
  context: DocumentContext,
  input: DocumentInput,
  base: Document,
  problems: string[],
): string {
  const { store, organisation } = context;
  const tenant = organisation.tenant_id;
  if (!input.Contact || Object.keys(input.Contact).length === 0) {
    if (!base.contact_id) problems.push('A Contact must be specified for this type of transaction');
    return base.contact_id;
  }
  const known = findContact(store, tenant, input.Contact);
  if (known?.archived) problems.push('The Contact is archived and cannot be used');
  if (known) return known.id;
  if (input.Contact.Name && !input.Contact.ContactID) return createContact(store, tenant, input.Contact).id;
  problems.push('The Contact could not be found');
  return '';
}

function nextNumber(context: DocumentContext): string {
  // The number of a purchase is its supplier's.
  if (isPurchase(context.type)) return '';
  const prefix = context.type === 'ACCREC' ? 'INV-' : 'CN-';
  for (let next = 1; ; next++) {
    const number = prefix + String(next).padStart(4, '0');
    if (!findDocument(context, { number })) return number;
  }
}

function parseDay(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined) return undefined;
  const day = readDay(text);
  if (!day) problems.push(`The date '${text}' is not a valid date`);
  return day;
}
