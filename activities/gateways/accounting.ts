import type { Chart } from '../../domain/accounting/settings.js';
import type { SeenDocument } from '../../domain/invoices/document-number.js';
import { AccountingRefusal } from '../failures.js';

/** The recipient of an invoice. */
export interface NewContact {
  /** Our id of the company, member or guest, by which the contact is found. */
  number: string;
  name: string;
  email: string | null;
}

/**
 * A line with our own net amount and tax: its share of the tax of its rate
 * (docs/rules/billing.md#totals-and-tax).
 */
export interface NewLine {
  description: string;
  /** A decimal with up to four places. */
  quantity: string;
  unit_amount_minor: number;
  net_minor: number;
  tax_minor: number;
  /** The accounting system's name for the tax code. */
  tax_type: string;
  /** The code of its account; null for the document's account. */
  account: string | null;
}

/** An invoice or a credit note to create. Amounts are positive in both. */
export interface NewDocument {
  /** Unique in the organisation, deleted documents included. */
  number: string;
  reference: string;
  contact_id: string;
  currency: string;
  /** Calendar days in the workspace's time zone: `2026-10-17`. */
  date: string;
  due_date?: string;
  /** The code of the account for its lines, unless a line has its own. */
  sales_account: string;
  lines: NewLine[];
}

/** A payment of an invoice, or a refund of a credit note. */
export interface NewDocumentPayment {
  document_id: string;
  /** The code or id of the account at which the money arrives or from which it leaves. */
  account: string;
  /** Our reference, by which the payment is found (`referenceOfPart`). */
  reference: string;
  amount_minor: number;
  currency: string;
  date: string;
}

export type AccountingStatus = 'draft' | 'submitted' | 'authorised' | 'paid' | 'voided' | 'deleted';

export interface AccountingPayment {
  id: string;
  reference: string;
  amount_minor: number;
}

/**
 * A document in the accounting system. A different total is an error
 * (docs/rules/accounting.md#errors-and-retries).
 */
export interface AccountingDocument {
  id: string;
  number: string;
  reference: string;
  /** The accounting system's id of its contact. */
  contact_id: string;
  status: AccountingStatus;
  currency: string;
  total_minor: number;
  /** The amount that is not paid yet, in minor units. */
  outstanding_minor: number;
  /**
   * The amount that was offset there: credits applied to an invoice, or the amount of a credit note that was
   * applied.
   */
  credited_minor: number;
  payments: AccountingPayment[];
}

/** An invoice in a list, with the texts of its lines. */
export type ListedInvoice = AccountingDocument & { descriptions: string[] };

/** What distinguishes a document of ours from another one with its number. */
export type DocumentIdentity = Pick<AccountingDocument, 'reference' | 'total_minor'> & {
  /** Null if any contact may be the payer's. */
  contact_id: string | null;
};

/**
 * True if a document is the one that we wrote or wanted to write, and not somebody else's or one that a
 * restore lost.
 */
export const isOurDocument = (found: AccountingDocument, ours: DocumentIdentity): boolean =>
  found.reference === ours.reference &&
  found.total_minor === ours.total_minor &&
  (ours.contact_id === null || found.contact_id === ours.contact_id);

/** A document cannot be created, because its number belongs to `found`, which is another document. */
export class NumberTaken extends AccountingRefusal {
  constructor(readonly found: AccountingDocument) {
    const { number, reference } = found;
    super(
      'number taken',
      `The number ${number} belongs to another document in the accounting system (${reference}).`,
    );
  }
}

/**
 * Returns a document that was found under the number of one of ours. Throws `NumberTaken` if it is another
 * document.
 */
export function assertOurDocument(found: AccountingDocument, ours: DocumentIdentity): AccountingDocument {
  if (isOurDocument(found, ours)) return found;
  throw new NumberTaken(found);
}

/** Returns what identifies a document to be written. */
export const documentIdentity = ({ reference, contact_id, lines }: NewDocument): DocumentIdentity => ({
  reference,
  contact_id,
  total_minor: lines.reduce((sum, { net_minor, tax_minor }) => sum + net_minor + tax_minor, 0),
});

/**
 * The part of the accounting system that we use. Every call is about one workspace's organisation. See
 * `failures.ts` for failures: refused, disconnected, rate limited, unavailable. Invoices and credit notes are
 * those of sales: a supplier's are never returned or changed.
 *
 * A write takes an idempotency `key` derived from our row's id and the attempt. The system keeps a key for
 * only six minutes, and repeats a failure under the same key. Callers that do not know the outcome of an
 * earlier attempt look first (`findInvoices`, `findCreditNote`). A repeated write is harmless: numbers are
 * unique, no more is paid than is due, and a document that already exists is returned as if it had just been
 * written.
 */
export interface Accounting {
  /** Returns the accounts, tax types and currencies of the organisation. */
  readChart(workspaceId: string): Promise<Chart>;
  /** Creates or updates the contact if needed, in one or two calls. Returns its id. */
  ensureContact(workspaceId: string, contact: NewContact, key: string): Promise<string>;
  /**
   * Returns the invoices with these numbers, in one call per 100. A deleted invoice is returned only if no
   * other has its number.
   */
  findInvoices(workspaceId: string, numbers: string[]): Promise<AccountingDocument[]>;
  /**
   * Returns our invoices and supplements, recognized by their references, that are dated on a day or later,
   * whatever their status. One call per 1,000 invoices.
   */
  listNumbers(workspaceId: string, from: string): Promise<SeenDocument[]>;
  /**
   * Returns a page of the invoices dated from one day to another, whatever their status. The first page is 1.
   */
  listInvoices(
    workspaceId: string,
    days: { from: string; to: string },
    page: number,
  ): Promise<{ invoices: ListedInvoice[]; last: boolean }>;
  /** Returns the invoices with these ids, in one call per 100. */
  readInvoices(workspaceId: string, ids: string[]): Promise<AccountingDocument[]>;
  /** Null if there is no such invoice. */
  readInvoice(workspaceId: string, id: string): Promise<AccountingDocument | null>;
  /** Creates an invoice: `submitted` for approval, or `authorised` if it is about to be paid. */
  createInvoice(
    workspaceId: string,
    invoice: NewDocument,
    status: 'submitted' | 'authorised',
    key: string,
  ): Promise<AccountingDocument>;
  /** Approves an invoice. Returns an invoice unchanged that is already approved or paid. */
  authoriseInvoice(workspaceId: string, id: string, key: string): Promise<AccountingDocument>;
  /**
   * Deletes an invoice that awaits approval, or voids an approved one. Returns an invoice unchanged that is
   * already deleted or voided. A paid invoice is refused.
   */
  voidInvoice(workspaceId: string, id: string, key: string): Promise<AccountingDocument>;
  setReference(workspaceId: string, id: string, reference: string, key: string): Promise<AccountingDocument>;
  payInvoice(workspaceId: string, payment: NewDocumentPayment, key: string): Promise<AccountingPayment>;
  /** Returns the credit note with this number. A deleted one is returned only if no other has its number. */
  findCreditNote(workspaceId: string, number: string): Promise<AccountingDocument | null>;
  /** Null if there is no such credit note. */
  readCreditNote(workspaceId: string, id: string): Promise<AccountingDocument | null>;
  /** Returns a page of the credit notes dated on a day or later. The first page is 1. */
  listCreditNotes(
    workspaceId: string,
    from: string,
    page: number,
  ): Promise<{ notes: AccountingDocument[]; last: boolean }>;
  createCreditNote(workspaceId: string, note: NewDocument, key: string): Promise<AccountingDocument>;
  refundCreditNote(workspaceId: string, refund: NewDocumentPayment, key: string): Promise<AccountingPayment>;
}

/** Tokens as they are stored (encrypted): a short-lived access token and a single-use refresh token. */
export interface AccountingTokens {
  access_token: string;
  refresh_token: string;
  access_expires_at: Date;
}

/**
 * The OAuth consent with which an operator connects an organisation. Fails as disconnected if consent was
 * refused or has expired, or as unavailable.
 */
export interface AccountingConsent {
  /** Returns the consent page's URL, and what to store until the operator returns. */
  begin(): Promise<{ url: string; state: string; nonce: string; verifier: string }>;
  /** Exchanges the query string with which the operator returned for tokens and the organisation. */
  finish(consent: {
    callbackQuery: string;
    state: string;
    nonce: string;
    verifier: string;
  }): Promise<AccountingTokens & { tenant_id: string; organisation: string }>;
  refresh(refreshToken: string): Promise<AccountingTokens>;
  /** Returns whether the organisation is still connected; null if the access token is not accepted. */
  isConnected(accessToken: string, tenantId: string): Promise<boolean | null>;
  /** Ends the connection to an organisation, which counts towards the app's limit until then. */
  disconnect(accessToken: string, tenantId: string): Promise<void>;
}

/** Supplies an access token for each call. */
export interface AccountingAccess {
  /**
   * `limitedUntil`: when calls are possible again, if the calls of the day are used up. Throws
   * `AccountingDisconnected`, or `AccountingUnavailable` while another worker refreshes the token.
   */
  token(workspaceId: string): Promise<{ accessToken: string; tenantId: string; limitedUntil: Date | null }>;
  /** Reports that the token was refused before it expired. */
  refused(workspaceId: string, accessToken: string): Promise<void>;
  /**
   * Checks, after the organisation was refused, whether it is still connected. If not, marks the connection
   * as revoked.
   */
  isDisconnected(workspaceId: string, accessToken: string): Promise<boolean>;
  /** Records that the calls of the day are used up. */
  limited(workspaceId: string, seconds: number): Promise<void>;
}
