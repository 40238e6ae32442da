import type { Faults } from './faults.js';

/** An organisation with books of its own; Xero's APIs call it a tenant. */
export interface Organisation {
  tenant_id: string;
  name: string;
  /** Its base currency. */
  currency: string;
  /** What it may invoice in; null: any currency. */
  currencies: string[] | null;
  /** The Xero user who signs in for it. One user may have several organisations. */
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
  /** Payments may be put on it, beside those on bank accounts. */
  payments: boolean;
  /** What Xero itself posts to it; nobody else may. */
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

/** A line of a document; amounts in hundredths. */
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

/** A sales invoice (ACCREC) or a sales credit note (ACCRECCREDIT): the same rules, in two tables. */
export interface Document {
  id: string;
  tenant: string;
  type: 'ACCREC' | 'ACCRECCREDIT';
  number: string;
  reference: string;
  contact_id: string;
  /** Dates without a time: `2026-10-04`. */
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
  /** The key it was created with. */
  idempotency_key: string | null;
}

/** Money in for an invoice, or out for a credit note. */
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

/** A part of a credit note that was set against an invoice. */
export interface Allocation {
  id: string;
  tenant: string;
  credit_note_id: string;
  invoice_id: string;
  cents: number;
  date: string;
}

/** That a user has let the app into an organisation. */
export interface Connection {
  id: string;
  tenant_id: string;
  user: string;
  auth_event_id: string;
  created_at: number;
  updated_at: number;
}

/** What a user agreed to. */
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
  /** When it was exchanged for the first time. */
  used_at: number | null;
}

/** The answer that is given again to a request with the same idempotency key. */
export interface SavedAnswer {
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

/** What the controls have set. */
export interface Settings {
  faults: Faults;
}
