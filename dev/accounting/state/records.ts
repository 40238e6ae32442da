import type { Faults } from './faults.js';

/** An organisation. Xero's APIs call it a tenant. */
export interface Organisation {
  tenant_id: string;
  name: string;
  /** The base currency. */
  currency: string;
  /** Currencies allowed in its documents; null for any. */
  currencies: string[] | null;
  /** Documents and payments up to this day (`2026-09-30`) are locked; null if none are. */
  lock_date: string | null;
  /**
   * Whether the number of a deleted document can be used again. Sources about Xero disagree, so both are
   * simulated.
   */
  frees_deleted_numbers: boolean;
  /** Its Xero user, who may have several organisations. */
  user: string;
  accounts: Account[];
  tax_rates: TaxRate[];
  created_at: number;
}

export interface Account {
  id: string;
  code: string;
  name: string;
  type: string;
  tax_type: string;
  /** Accepts payments, like bank accounts. */
  payments: boolean;
  /** The purpose of a system account, to which only Xero posts; otherwise null. */
  system: string | null;
}

export interface TaxRate {
  tax_type: string;
  name: string;
  report_tax_type: string;
  /** Percent. */
  rate: number;
  on_income: boolean;
  on_expenses: boolean;
}

export interface Contact {
  id: string;
  tenant: string;
  number: string | null;
  name: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  archived: boolean;
  updated_at: number;
}

export type Status = 'DRAFT' | 'SUBMITTED' | 'AUTHORISED' | 'PAID' | 'VOIDED' | 'DELETED';
export type LineAmountTypes = 'Exclusive' | 'Inclusive' | 'NoTax';

/** A line of a document. Amounts in hundredths. */
export interface Line {
  id: string;
  description: string | null;
  quantity: number;
  unit_amount: number;
  line_cents: number;
  tax_cents: number;
  tax_type: string;
  account_code: string | null;
}

/**
 * A sales invoice (ACCREC), a bill (ACCPAY), or a credit note for one of them (ACCRECCREDIT, ACCPAYCREDIT).
 * All follow the same rules. Invoices and bills share a table, as they share Xero's endpoint, and so do
 * credit notes.
 */
export interface Document {
  id: string;
  tenant: string;
  type: 'ACCREC' | 'ACCPAY' | 'ACCRECCREDIT' | 'ACCPAYCREDIT';
  number: string;
  reference: string;
  contact_id: string;
  /** Dates as `2026-10-04`. */
  date: string;
  due_date: string | null;
  status: Status;
  line_amount_types: LineAmountTypes;
  lines: Line[];
  currency: string;
  currency_rate: number;
  url: string | null;
  sent: boolean;
  fully_paid_on: string | null;
  updated_at: number;
  /** The idempotency key of the request that created it. */
  idempotency_key: string | null;
}

/** A payment of an invoice, or a refund of a credit note. */
export interface Payment {
  id: string;
  tenant: string;
  document_id: string;
  account_id: string;
  date: string;
  cents: number;
  currency_rate: number;
  reference: string;
  status: 'AUTHORISED' | 'DELETED';
  updated_at: number;
  idempotency_key: string | null;
}

/** An amount of a credit note that is allocated to an invoice. */
export interface Allocation {
  id: string;
  tenant: string;
  credit_note_id: string;
  invoice_id: string;
  cents: number;
  date: string;
}

/** A connection: the app's access to an organisation. */
export interface Connection {
  id: string;
  tenant_id: string;
  user: string;
  auth_event_id: string;
  created_at: number;
  updated_at: number;
}

/** A user's consent. */
export interface Grant {
  user: string;
  scope: string;
  auth_event_id: string;
  nonce: string | null;
}

export interface AuthorizationCode {
  grant: Grant;
  redirect_uri: string;
  code_challenge: string | null;
  expires_at: number;
}

export interface AccessToken {
  user: string;
  scope: string;
  expires_at: number;
}

export interface RefreshToken {
  grant: Grant;
  expires_at: number;
  /** When it was first exchanged. */
  used_at: number | null;
}

/** The saved response to requests with the same idempotency key. */
export interface SavedResponse {
  fingerprint: string;
  status: number;
  body: unknown;
  created_at: number;
}

export interface RequestLogEntry {
  method: string;
  path: string;
  tenant: string | null;
  idempotency_key: string | null;
  status: number;
  at: string;
}

/** Settings from the controls, for all organisations or for one. */
export interface Settings {
  faults?: Faults;
}
