import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Erased, ErasureKey, Kept, NotPersonal, Replaced } from '../personal-data/declarations.js';
import type { InvoiceParties } from '../../domain/invoices/parties.js';
import type { InvoiceLine as Line } from '../../domain/invoices/invoice.js';
import type { DocumentTerms, NamedPayer } from '../../domain/invoices/document.js';
import type { Metadata } from '../../domain/metadata.js';
import type { StatementContent } from '../../domain/invoices/statement.js';

/**
 * Separate from the workspace's row, so that numbering an invoice does not wait for edits of the workspace.
 */
@NotPersonal
@Entity('invoice_counters')
export class InvoiceCounter {
  @PrimaryColumn('text') workspace_id!: string;
  @Column('integer', { default: 0 }) last_number!: number;
  @Column('integer', { default: 0 }) last_statement!: number;
  /** Documents are counted separately: an invoice gets its document number when it is issued. */
  @Column('integer', { default: 0 }) last_document_number!: number;
}

/** Numbers of invoices that a restore has lost, which are not assigned again. */
@NotPersonal
@Entity('invoice_number_gaps')
export class InvoiceNumberGap {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('integer') first_number!: number;
  @Column('integer') last_number!: number;
  /** The system in which the highest of them was found. */
  @Column('text') seen_by!: 'accounting' | 'processor';
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** Numbers of documents that a restore has lost, which are not assigned again. */
@NotPersonal
@Entity('document_number_gaps')
export class DocumentNumberGap {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('integer') first_number!: number;
  @Column('integer') last_number!: number;
  /** The system in which the highest of them was found. */
  @Column('text') seen_by!: 'accounting' | 'processor';
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * Supplements and credit notes in the accounting system that a restore has lost here, of invoices that exist
 * here. Only the same document gets one of these numbers again.
 */
@NotPersonal
@Entity('lost_documents')
export class LostDocument {
  @PrimaryColumn('text') invoice_id!: string;
  /** The end of its number: `C1` for `HH-35-C1`. */
  @PrimaryColumn('text') suffix!: string;
  @Column('text') workspace_id!: string;
  /** Null if no new document can be matched with it: it is void there, or may belong to another invoice. */
  @Column('bigint', { nullable: true }) total_minor!: number | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

@Entity('invoices')
export class Invoice {
  @ErasureKey('invoices') @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  /** Sequential in the workspace, without gaps other than the recorded ones. */
  @Kept @Column('integer') number!: number;
  @Kept @Column('text', { default: 'booking' }) kind!: 'booking' | 'ad_hoc' | 'adjustment' | 'subscription';
  @Kept @Column('text') status!: 'draft' | 'open' | 'authorised' | 'paid' | 'void' | 'cancelled' | 'refunded';
  @Kept @Column('char') currency!: string;
  @Kept @Column('bigint') net_minor!: number;
  @Kept @Column('bigint') tax_minor!: number;
  @Kept @Column('bigint') total_minor!: number;
  @Kept @Column('timestamptz') due_at!: Date;
  @Kept @Column('uuid', { nullable: true }) company_id!: string | null;
  @Kept @Column('text', { nullable: true }) member_id!: string | null;
  @Kept @Column('text', { nullable: true }) booking_id!: string | null;
  /** For an adjustment, the invoice whose difference it charges. */
  @Kept @Column('text', { nullable: true }) adjusts!: string | null;
  @Kept @Column('text', { nullable: true }) reference!: string | null;
  @Replaced({}) @Column('jsonb', { default: {} }) metadata!: Metadata;
  /**
   * Its number on documents and in the accounting system, with the prefix at that time. Null until it is
   * issued, or sent to the accounting system before that.
   */
  @Kept @Column('text', { nullable: true }) document_number!: string | null;
  /** The running number in its document number. Null without one. */
  @Kept @Column('integer', { nullable: true }) document_ordinal!: number | null;
  @Kept @Column('date', { nullable: true }) period_start!: string | null;
  @Kept @Column('date', { nullable: true }) period_end!: string | null;
  @Kept @Column('text', { nullable: true }) accounting_id!: string | null;
  @Kept @Column('text') accounting_reference!: string;
  /** Why the invoice is not in the accounting system, or differs there. */
  @Kept @Column('text', { nullable: true }) accounting_error!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
  @Kept @Column('timestamptz', { nullable: true }) paid_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) voided_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) cancelled_at!: Date | null;
  /** When its collection had tried everything. */
  @Kept @Column('timestamptz', { nullable: true }) overdue_at!: Date | null;
  /** When a mail server last accepted the invoice for its payer. */
  @Kept @Column('timestamptz', { nullable: true }) sent_at!: Date | null;
  /** The workflow id of the job that opened a subscription invoice; null for all other invoices. */
  @Kept @Column('text', { nullable: true }) opened_by!: string | null;
  /** The seller and the company when it was opened; null for a draft. A person is only on its documents. */
  @Kept @Column('jsonb', { nullable: true }) parties!: InvoiceParties | null;
  /** A new version invalidates earlier payment links. */
  @Kept @Column('integer', { default: 1 }) pay_link_version!: number;
}

/** A debit creates another invoice; a credit creates refunds. */
@Entity('adjustments')
export class Adjustment {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @ErasureKey('invoices') @Column('text') invoice_id!: string;
  @Kept @Column('text') kind!: 'debit' | 'credit';
  @Kept @Column('bigint') net_minor!: number;
  @Kept @Column('bigint') tax_minor!: number;
  @Kept @Column('bigint') total_minor!: number;
  @Kept @Column('jsonb') lines!: Line[];
  @Kept @Column('text') reason!: string;
  @Kept @Column('text', { nullable: true }) debit_invoice_id!: string | null;
  /** The credit note's id in the accounting system. */
  @Kept @Column('text', { nullable: true }) accounting_id!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

@Entity('invoice_lines')
export class InvoiceLine {
  @ErasureKey('invoices') @PrimaryColumn('text') invoice_id!: string;
  @PrimaryColumn('integer') position!: number;
  @Kept @Column('text') description!: string;
  @Kept @Column('numeric') quantity!: string;
  @Kept @Column('bigint') unit_amount_minor!: number;
  @Kept @Column('text') tax_code!: string;
  @Kept @Column('integer') tax_rate_bps!: number;
  @Kept @Column('bigint') net_minor!: number;
  @Kept @Column('bigint') tax_minor!: number;
  /** Its account in the accounting system; null for the workspace's sales account. */
  @Kept @Column('text', { nullable: true }) account!: string | null;
  /** The top-up that paid for a line added later. It is a separate document in the accounting system. */
  @Kept @Column('text', { nullable: true }) payment_id!: string | null;
  /**
   * The change of a booking that added the line, or took it off (then it is below zero). Each change has its
   * own document.
   */
  @Kept @Column('text', { nullable: true }) change_id!: string | null;
}

/**
 * A document as it was issued. It never changes, except that an erasure removes the person's name. A document
 * whose reason no longer holds is cancelled by another one.
 */
@Entity('invoice_documents')
export class InvoiceDocument {
  /**
   * What it is about: the invoice, the payment of a supplement, a refund, an adjustment, a movement of a
   * dispute, or a change. A suffix marks what a change has added, or the cancellation of the document with
   * that source.
   */
  @PrimaryColumn('text') source_id!: string;
  @Kept @Column('text') workspace_id!: string;
  @ErasureKey('invoices') @Column('text') invoice_id!: string;
  @Kept @Column('text') kind!: 'invoice' | 'supplement' | 'credit_note';
  /** Unique in the workspace. */
  @Kept @Column('text') number!: string;
  @Kept @Column('timestamptz') issued_at!: Date;
  @Kept @Column('bigint') net_minor!: number;
  @Kept @Column('bigint') tax_minor!: number;
  @Kept @Column('bigint') total_minor!: number;
  /** The payment of a supplement, or the refund of a credit note. */
  @Kept @Column('text', { nullable: true }) payment_id!: string | null;
  @Kept @Column('jsonb') lines!: Line[];
  @Kept @Column('jsonb') terms!: DocumentTerms;
  /**
   * The member or guest who pays, with their name at that time; null if a company pays, and after an erasure.
   * Stored by a trigger.
   */
  @Erased @Column('jsonb', { nullable: true }) payer!: NamedPayer | null;
  /**
   * The names of the members whose ids are in its lines, by id. Stored by a trigger. An erasure removes the
   * person's own name everywhere (commands/members/erasure.ts).
   */
  @Kept @Column('jsonb', { nullable: true }) member_names!: Record<string, string> | null;
  /**
   * The source of the document that this one cancels: a void invoice, or the credit note of a refund that
   * failed.
   */
  @Kept @Column('text', { nullable: true }) cancels!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * What a payer owed and paid, at the time of the request. It never changes, except that an erasure removes
 * the name.
 */
@Entity('statements')
export class Statement {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('uuid', { nullable: true }) company_id!: string | null;
  @ErasureKey('members') @Column('text', { nullable: true }) member_id!: string | null;
  /** Unique in the workspace. */
  @Kept @Column('text') number!: string;
  @Kept @Column('timestamptz', { default: () => 'now()' }) issued_at!: Date;
  @Kept @Column('jsonb') content!: StatementContent;
  /**
   * The member, with their name at that time; null for a company, and after an erasure. Stored by a trigger.
   */
  @Erased @Column('jsonb', { nullable: true }) payer!: NamedPayer | null;
}

/** The invoices that a statement lists. */
@NotPersonal
@Entity('statement_invoices')
export class StatementInvoice {
  @PrimaryColumn('text') invoice_id!: string;
  @PrimaryColumn('text') statement_id!: string;
}
