import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { Chart } from '../../domain/accounting/settings.js';

/**
 * An organisation in the accounting system serves one workspace only: invoice numbers of two would collide.
 */
@NotPersonal
@Entity('accounting_connections')
export class AccountingConnection {
  @PrimaryColumn('text') workspace_id!: string;
  @Column('boolean', { default: true }) enabled!: boolean;
  /**
   * revoked: the organisation has withdrawn the consent; disconnected: the workspace
   * has ended the connection.
   */
  @Column('text') status!: 'active' | 'revoked' | 'disconnected';
  @Column('text') tenant_id!: string;
  @Column('text') organisation!: string;
  /** Code of the account of invoice lines; the default is the one of a new organisation. */
  @Column('text', { default: '200' }) sales_account!: string;
  /** Code, or id, of the account that payments arrive on and leave from. */
  @Column('text', { default: '090' }) payment_account!: string;
  /** Encrypted, like the refresh token; see db/encryption.ts. */
  @Column('bytea') access_token!: Buffer;
  @Column('bytea') refresh_token!: Buffer;
  @Column('timestamptz') access_expires_at!: Date;
  /** Until then one process may refresh the tokens. */
  @Column('timestamptz', { nullable: true }) refreshing_until!: Date | null;
  /** Rises with each new pair of tokens. */
  @Column('integer', { default: 0 }) token_version!: number;
  /** When the calls of a day, which are used up, are renewed. */
  @Column('timestamptz', { nullable: true }) limited_until!: Date | null;
  @Column('timestamptz') connected_at!: Date;
  /** Since when the consent is withdrawn. */
  @Column('timestamptz', { nullable: true }) revoked_at!: Date | null;
}

/** Apart from the connections, which are read for every call. */
@NotPersonal
@Entity('accounting_charts')
export class AccountingChart {
  @PrimaryColumn('text') workspace_id!: string;
  /** The accounts, tax types and currencies that the organisation had when they were last read. */
  @Column('jsonb') chart!: Chart;
  @Column('timestamptz') read_at!: Date;
}

/** Visits to the accounting system's consent page. */
@NotPersonal
@Entity('accounting_consents')
export class AccountingConsent {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('bytea') state_hash!: Buffer;
  @Column('text') nonce!: string;
  /** The PKCE code verifier, encrypted. */
  @Column('bytea') verifier!: Buffer;
  @Column('text') url!: string;
  /** The query that the person returned with, encrypted. */
  @Column('bytea', { nullable: true }) callback_query!: Buffer | null;
  /** The session that went to the consent page, and must return from it. Null until then. */
  @Column('bytea', { nullable: true }) session_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * The contact of each payer in the accounting system, and a digest of what was sent, which identifies nobody.
 */
@NotPersonal
@Entity('accounting_contacts')
export class AccountingContact {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('text') payer!: string;
  @Column('text') contact_id!: string;
  /** SHA-256 of name and address as last sent. */
  @Column('bytea') digest!: Buffer;
}

/**
 * Documents in the accounting system, one for each source: an invoice, a top-up (a payment), a refund (a
 * payment), a credit adjustment. The row is written before the document is requested, so that a void of the
 * invoice knows that the document may exist.
 */
@NotPersonal
@Entity('accounting_documents')
export class AccountingDocument {
  @PrimaryColumn('text') source_id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') invoice_id!: string;
  @Column('text') kind!: 'invoice' | 'credit_note';
  @Column('text') number!: string;
  @Column('text', { nullable: true }) reference!: string | null;
  @Column('text', { nullable: true }) accounting_id!: string | null;
  @Column('text', { default: 'unknown' }) status!:
    | 'unknown'
    | 'draft'
    | 'submitted'
    | 'authorised'
    | 'paid'
    | 'voided'
    | 'deleted';
  @Column('bigint', { nullable: true }) total_minor!: number | null;
  /** The amount not yet paid or refunded. */
  @Column('bigint', { nullable: true }) outstanding_minor!: number | null;
  /** What was set off there: credits applied to an invoice, or what a credit note was applied to. */
  @Column('bigint', { default: 0 }) credited_minor!: number;
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * The outbox: invoices that must be updated in the accounting system, written in the transaction that changes
 * them. The row stays until both agree.
 */
@NotPersonal
@Entity('accounting_due')
export class AccountingDue {
  @PrimaryColumn('text') invoice_id!: string;
  @Column('text') workspace_id!: string;
  /** Increases with each change of the invoice. Not used twice. */
  @Column('integer', { default: () => `nextval('accounting_due_versions'::regclass)` }) version!: number;
  /**
   * When workers could begin with the first attempt, or the invoice's workflow was notified of this version.
   */
  @Column('timestamptz', { nullable: true }) notified_at!: Date | null;
  /**
   * Until then a worker makes the first attempt; infinity: it has not begun. Null: the
   * invoice's workflow writes.
   */
  @Column('timestamptz', { nullable: true }) first_attempt_until!: Date | null;
}
