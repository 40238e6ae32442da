import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { Chart } from '../../domain/accounting/settings.js';

/**
 * An organisation in the accounting system serves only one workspace, because the invoice numbers of two
 * workspaces would collide.
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
  /** The code of the account for invoice lines. The default is the account of a new organisation. */
  @Column('text', { default: '200' }) sales_account!: string;
  /** The code or id of the account at which payments arrive and from which they leave. */
  @Column('text', { default: '090' }) payment_account!: string;
  /** Encrypted, like the refresh token; see db/encryption.ts. */
  @Column('bytea') access_token!: Buffer;
  @Column('bytea') refresh_token!: Buffer;
  @Column('timestamptz') access_expires_at!: Date;
  /** Until then, one process may refresh the tokens. */
  @Column('timestamptz', { nullable: true }) refreshing_until!: Date | null;
  /** Increases with each new pair of tokens. */
  @Column('integer', { default: 0 }) token_version!: number;
  /** When calls are possible again, if the calls of the day are used up. */
  @Column('timestamptz', { nullable: true }) limited_until!: Date | null;
  @Column('timestamptz') connected_at!: Date;
  /** Since when the consent has been withdrawn. */
  @Column('timestamptz', { nullable: true }) revoked_at!: Date | null;
}

/** Separate from the connections, which are read for every call. */
@NotPersonal
@Entity('accounting_charts')
export class AccountingChart {
  @PrimaryColumn('text') workspace_id!: string;
  /** The accounts, tax types and currencies of the organisation as last read. */
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
  /** The query string with which the person returned, encrypted. */
  @Column('bytea', { nullable: true }) callback_query!: Buffer | null;
  /** The session that went to the consent page, and must return from it. Null before that. */
  @Column('bytea', { nullable: true }) session_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * The contact of each payer in the accounting system, and a digest of what was sent, which does not identify
 * anyone.
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
 * payment), a credit adjustment. The row is written before the document is requested, so that voiding the
 * invoice takes into account that the document may exist.
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
  /**
   * What was offset there: credits applied to an invoice, or the amount of a credit note that was applied.
   */
  @Column('bigint', { default: 0 }) credited_minor!: number;
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * An outbox: invoices that must be updated in the accounting system, written in the transaction that changes
 * them. The row stays until both agree.
 */
@NotPersonal
@Entity('accounting_due')
export class AccountingDue {
  @PrimaryColumn('text') invoice_id!: string;
  @Column('text') workspace_id!: string;
  /** Increases with each change of the invoice. Never used twice. */
  @Column('integer', { default: () => `nextval('accounting_due_versions'::regclass)` }) version!: number;
  /** When workers could start the first attempt, or the invoice's workflow was notified of this version. */
  @Column('timestamptz', { nullable: true }) notified_at!: Date | null;
  /**
   * Until then, a worker makes the first attempt; infinity: it has not started. Null: the invoice's workflow
   * writes.
   */
  @Column('timestamptz', { nullable: true }) first_attempt_until!: Date | null;
}
