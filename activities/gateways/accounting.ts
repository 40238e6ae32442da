/** Who an invoice is for. */
export interface NewContact {
  /** Our own id of the company, member or guest: how the contact is found again. */
  number: string;
  name: string;
  email: string | null;
}

/** A line; its tax and net amount are ours, worked out per line (decisions.md, "Invoices and payments"). */
export interface NewLine {
  description: string;
  /** A decimal of up to four places. */
  quantity: string;
  unit_amount_minor: number;
  net_minor: number;
  tax_minor: number;
  /** The accounting system's name of the tax code. */
  tax_type: string;
}

/** An invoice or a credit note as it goes into the books; amounts of a credit note are positive too. */
export interface NewDocument {
  /** Unique in the organisation, for good. */
  number: string;
  reference: string;
  contact_id: string;
  currency: string;
  /** Calendar days in the workspace's zone: `2026-10-17`. */
  date: string;
  due_date?: string;
  lines: NewLine[];
}

/** Money in for an invoice, or back out for a credit note. */
export interface NewDocumentPayment {
  /** The books' id of the invoice or the credit note. */
  document_id: string;
  /** Our payment's id: how it is found again. */
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

/** A document as the books have it. Its total may differ from ours: then it is an error (decisions.md). */
export interface AccountingDocument {
  id: string;
  number: string;
  reference: string;
  status: AccountingStatus;
  currency: string;
  total_minor: number;
  /** What is still to be paid, in or out. */
  left_minor: number;
  payments: AccountingPayment[];
}

/**
 * The accounting system, as narrow as we use it. Every call is about one workspace's organisation, and fails as
 * `failures.ts` says: refused, disconnected, rate limited, unavailable.
 *
 * A write takes a `key` that names this try of it, from our row's id and the attempt: the system knows a key for six
 * minutes only, and gives a failure again under the same one. So who cannot know whether an earlier try got through
 * looks first (`findInvoices`, `findCreditNote`). A second write is harmless all the same: numbers are unique, and no
 * more is paid than is due; what is found to be there already is answered as if it had been written now.
 */
export interface Accounting {
  /** The contact's id; made, or brought up to date, where needed. Worth keeping: it is one or two calls. */
  ensureContact(workspaceId: string, contact: NewContact, key: string): Promise<string>;
  /** The invoices with these numbers, in one call per 100. One that was deleted is told where no other has its number. */
  findInvoices(workspaceId: string, numbers: string[]): Promise<AccountingDocument[]>;
  /** Null where the books have no such invoice. */
  readInvoice(workspaceId: string, id: string): Promise<AccountingDocument | null>;
  /** Sent for approval, or approved at once where it is about to be paid. */
  createInvoice(
    workspaceId: string,
    invoice: NewDocument,
    status: 'submitted' | 'authorised',
    key: string,
  ): Promise<AccountingDocument>;
  /** Approves an invoice; one that is approved or paid is told as it is. */
  authoriseInvoice(workspaceId: string, id: string, key: string): Promise<AccountingDocument>;
  /** Deletes an invoice that waits for approval, voids an approved one; one that is gone is told as it is. A paid one is refused. */
  voidInvoice(workspaceId: string, id: string, key: string): Promise<AccountingDocument>;
  setReference(workspaceId: string, id: string, reference: string, key: string): Promise<AccountingDocument>;
  /** Puts a payment on an approved invoice. */
  payInvoice(workspaceId: string, payment: NewDocumentPayment, key: string): Promise<AccountingPayment>;
  /** By its number or its id; null where the books have none. */
  findCreditNote(workspaceId: string, numberOrId: string): Promise<AccountingDocument | null>;
  /** An approved credit note. */
  createCreditNote(workspaceId: string, note: NewDocument, key: string): Promise<AccountingDocument>;
  /** Gives a credit note's money back. */
  refundCreditNote(workspaceId: string, refund: NewDocumentPayment, key: string): Promise<AccountingPayment>;
}

/** Tokens as they are kept (encrypted): short-lived access, and what renews it, once. */
export interface AccountingTokens {
  access_token: string;
  refresh_token: string;
  access_expires_at: Date;
}

/**
 * How an operator lets the service into an organisation's books. Failures: disconnected where consent was refused or
 * is over, unavailable.
 */
export interface AccountingConsent {
  /** Where to send the operator, and what has to be kept until they come back. */
  begin(): Promise<{ url: string; state: string; nonce: string; verifier: string }>;
  /** Trades what they came back with (a query string) for tokens, and names the organisation. */
  finish(consent: {
    answer: string;
    state: string;
    nonce: string;
    verifier: string;
  }): Promise<AccountingTokens & { tenant_id: string; organisation: string }>;
  refresh(refreshToken: string): Promise<AccountingTokens>;
}

/** A workspace's way into its books, for each call. */
export interface AccountingAccess {
  /** Throws `AccountingDisconnected`, and `AccountingUnavailable` while somebody else refreshes the token. */
  token(workspaceId: string): Promise<{ accessToken: string; tenantId: string }>;
  /** The token was refused before its time was over. */
  refused(workspaceId: string, accessToken: string): Promise<void>;
  /** The organisation has taken the consent back that this token came from. */
  disconnected(workspaceId: string, accessToken: string): Promise<void>;
}
