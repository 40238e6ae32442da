import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ErasureKey, Kept, NotPersonal } from '../personal-data/declarations.js';
import type { TaxPart } from '../../domain/invoices/credited-tax.js';
import type { DisputeEvidence } from '../../domain/payments/dispute-words.js';
import type { PaymentRefusal } from '../../domain/payments/late-payment.js';
import type { ConfirmationSource } from '../../domain/states.js';

/**
 * Payments and refunds. invoice_id is null only for the payment of a checkout whose booking could not be
 * created, so that there never was an invoice. It is refunded immediately.
 */
@Entity('payments')
export class Payment {
  @ErasureKey('payments') @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('text', { nullable: true }) invoice_id!: string | null;
  @Kept @Column('text', { nullable: true }) booking_id!: string | null;
  @Kept @Column('text') kind!: 'charge' | 'top_up' | 'manual' | 'refund';
  @Kept @Column('text') status!:
    | 'pending'
    | 'succeeded'
    | 'failed'
    | 'partially_refunded'
    | 'refunded'
    | 'disputed';
  @Kept @Column('bigint') amount_minor!: number;
  /** The amount refunded, or reserved for a pending refund. */
  @Kept @Column('bigint', { default: 0 }) refunded_minor!: number;
  /** The amount that banks withdrew for disputes and have not returned. */
  @Kept @Column('bigint', { default: 0 }) disputed_minor!: number;
  /** The part of the payment that exceeded the amount due and was refunded. */
  @Kept @Column('bigint', { default: 0 }) excess_minor!: number;
  @Kept @Column('char') currency!: string;
  @Kept @Column('text') method!: string;
  /** The connected account at the processor; null for a manual payment. */
  @Kept @Column('text', { nullable: true }) account_id!: string | null;
  @Kept @Column('text', { nullable: true }) processor_payment_intent_id!: string | null;
  @Kept @Column('text', { nullable: true }) processor_refund_id!: string | null;
  @Kept @Column('text', { nullable: true }) refund_of!: string | null;
  /** For a refund: who made it. */
  @Kept @Column('text', { nullable: true }) origin!: 'service' | 'processor' | null;
  /**
   * For a refund: its number among our refunds of the payment, from 1, including failed ones. Null for
   * refunds that are not ours.
   */
  @Kept @Column('integer', { nullable: true }) ordinal!: number | null;
  /** For a refund: its purpose; `dashboard` if it was made at the processor. */
  @Kept @Column('text', { nullable: true }) purpose!:
    | 'cancellation'
    | 'change'
    | 'adjustment'
    | 'late'
    | 'excess'
    | 'request'
    | 'dashboard'
    | null;
  @Kept @Column('text', { nullable: true }) adjustment_id!: string | null;
  /** For a refund: what it credits, by tax code; null for a share of everything that its invoice has left. */
  @Kept @Column('jsonb', { nullable: true }) credit!: TaxPart[] | null;
  /** For a refund: SHA-256 of the workspace and the `Idempotency-Key` of its request. Null without a key. */
  @Kept @Column('bytea', { nullable: true }) request_hash!: Buffer | null;
  @Kept @Column('text', { nullable: true }) reference!: string | null;
  /** For a refund: whether its payer gets mail. */
  @Kept @Column('boolean', { default: true }) notify_payer!: boolean;
  @Kept @Column('text', { nullable: true }) reason!: string | null;
  @Kept @Column('text', { nullable: true }) source!: ConfirmationSource | null;
  /** Why the payment was refunded on receipt. Every later call gets the same response. */
  @Kept @Column('jsonb', { nullable: true }) refusal!: PaymentRefusal | null;
  @Kept @Column('timestamptz', { nullable: true }) paid_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) settled_at!: Date | null;
  /** For a refund that failed after it had succeeded: when it succeeded. */
  @Kept @Column('timestamptz', { nullable: true }) succeeded_at!: Date | null;
  /**
   * For a refund: when the processor first failed it for lack of balance. It is retried while it is pending.
   */
  @Kept @Column('timestamptz', { nullable: true }) unfunded_since!: Date | null;
  /** For a refund: how often the processor has failed it for lack of balance. */
  @Kept @Column('integer', { default: 0 }) unfunded_attempts!: number;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** Disputes of payments, by the processor's id, as the processor last reported them. */
@NotPersonal
@Entity('disputes')
export class Dispute {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') payment_id!: string;
  @Column('text') status!: 'inquiry' | 'open' | 'won' | 'lost' | 'prevented';
  @Column('bigint') amount_minor!: number;
  /** The processor's code. */
  @Column('text') reason!: string;
  @Column('text') evidence!: DisputeEvidence;
  /** The deadline for sending evidence to the processor. */
  @Column('timestamptz', { nullable: true }) due_by!: Date | null;
  @Column('timestamptz') created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/**
 * What the bank withdrew for a dispute, or returned, by the processor's balance transaction. Rows never
 * change: each one is a separate document in the accounting system.
 */
@NotPersonal
@Entity('dispute_movements')
export class DisputeMovement {
  @PrimaryColumn('text') id!: string;
  @Column('text') dispute_id!: string;
  @Column('text') payment_id!: string;
  /** Below zero: withdrawn from the account. Above zero: returned. */
  @Column('bigint') amount_minor!: number;
  @Column('timestamptz') created_at!: Date;
}

/**
 * One row per checkout, written before it is requested from the processor, so that a session whose response
 * was lost is still known here. booking_id has no foreign key, since the booking is deleted if creating it
 * fails.
 */
@Entity('checkouts')
export class Checkout {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @ErasureKey('bookings') @Column('text', { nullable: true }) booking_id!: string | null;
  @Kept @Column('text', { nullable: true }) invoice_id!: string | null;
  /** The change of a booking whose difference its payer pays on the hosted page. */
  @Kept @Column('text', { nullable: true }) change_id!: string | null;
  /** The change of a booking whose difference is charged to the card that paid for the booking. */
  @Kept @Column('text', { nullable: true }) charged_change_id!: string | null;
  /** The booking, or the checkout itself if it pays an invoice or a change of a booking. */
  @Column({ type: 'text', insert: false, update: false }) owner_id!: string;
  @Kept @Column('text') account_id!: string;
  @Kept @Column('char') currency!: string;
  @Kept @Column('bigint') amount_minor!: number;
  @Kept @Column('text') description!: string;
  /** Its number among the attempts of its kind (hosted or by card) for its owner, from 1. */
  @Kept @Column('integer') ordinal!: number;
  /** For the charge of a change: its number among the known charges of the booking's changes, from 1. */
  @Kept @Column('integer', { nullable: true }) charge_ordinal!: number | null;
  @Kept @Column('text', { nullable: true }) customer_id!: string | null;
  /**
   * The card that is charged; null for a hosted page, and for the charge of a change until the card is known.
   */
  @Kept @Column('text', { nullable: true }) payment_method_id!: string | null;
  @Kept @Column('text', { nullable: true }) url!: string | null;
  @Kept @Column('text', { nullable: true }) session_id!: string | null;
  @Kept @Column('timestamptz') session_expires_at!: Date;
  /**
   * opening: may have been requested; open: can be paid; abandoned: the booking could not be created, so any
   * session must be closed; processing: the payer is done, but the payment is still in progress; paid and
   * closed are final.
   */
  @Kept @Column('text', { default: 'opening' }) state!:
    | 'opening'
    | 'open'
    | 'abandoned'
    | 'processing'
    | 'paid'
    | 'closed';
  /** Why the card was declined, as the processor's code. */
  @Kept @Column('text', { nullable: true }) refusal_code!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** Declined attempts to pay on the hosted page, for the timelines of bookings. */
@NotPersonal
@Entity('card_declines')
export class CardDecline {
  /**
   * The failed charge at the processor; the processor's event if there was no charge, for example after a
   * failed authentication.
   */
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') checkout_id!: string;
  /** The reason, as a code of the processor. */
  @Column('text') code!: string;
  @Column('timestamptz') declined_at!: Date;
}

/** Events from the processor, by the processor's event id. */
@NotPersonal
@Entity('processor_events')
export class ProcessorEvent {
  @PrimaryColumn('text') id!: string;
  @Column('text') type!: string;
  /** The registration to which it was sent; pull: read from the processor's list of events. */
  @Column('text') via!: 'platform' | 'connect' | 'pull';
  @Column('text', { nullable: true }) account_id!: string | null;
  @Column('text', { nullable: true }) outcome!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) received_at!: Date;
  /** Set once the event's effect is durable. */
  @Column('timestamptz', { nullable: true }) handled_at!: Date | null;
}

/** How far the events of each connected account have been read from the processor. */
@NotPersonal
@Entity('account_reads')
export class AccountRead {
  /** The workspace's id if only its accounting is read, because it has no account that can be read. */
  @PrimaryColumn('text') account_id!: string;
  @Column('text') workspace_id!: string;
  /** Everything that the processor recorded up to this time has been read and handled. */
  @Column('timestamptz') read_until!: Date;
  @Column('timestamptz', { nullable: true }) last_read_at!: Date | null;
  /** When it may be read again: later after failures, and for some time after a job has taken it. */
  @Column('timestamptz') next_read_at!: Date;
  /** The time since which facts may be missing here. While it is set, no money moves on the account. */
  @Column('timestamptz', { nullable: true }) recovering_since!: Date | null;
  /** Failed reads since the last successful one. */
  @Column('integer', { default: 0 }) failures!: number;
  /**
   * The period of which the database has lost what happened on the account, for example after a backup was
   * restored; otherwise null.
   */
  @Column('timestamptz', { nullable: true }) lost_from!: Date | null;
  @Column('timestamptz', { nullable: true }) lost_until!: Date | null;
  /** During recovery: document numbers may have been assigned that this database does not know. */
  @Column('boolean', { default: false }) numbers_unknown!: boolean;
  /** When its payouts were last read; null if they never were. */
  @Column('timestamptz', { nullable: true }) payouts_read_at!: Date | null;
  /** Why it is recovering, until the audit log and the owner have been informed. */
  @Column('text', { nullable: true }) untold!: RecoveryReason | null;
}

/** How it was detected that the database may lack facts (docs/internals/recovery.md#paused-payments). */
export type RecoveryReason =
  | 'setting'
  | 'beat_lost'
  | 'other_database'
  | 'unknown_run'
  | 'processor'
  | 'accounting';

/** A single row: the platform's own account at the processor, and whether its key is a live-mode key. */
@NotPersonal
@Entity('platform')
export class Platform {
  @PrimaryColumn('boolean', { default: true }) id!: true;
  @Column('text') account_id!: string;
  @Column('boolean') live_mode!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) recorded_at!: Date;
}

/**
 * A single row: the latest times since which facts were missing here, and what shows that this database is an
 * older one.
 */
@NotPersonal
@Entity('recovery')
export class Recovery {
  @PrimaryColumn('boolean', { default: true }) id!: true;
  /** The latest value of RECOVER_SINCE that has taken effect. */
  @Column('timestamptz', { nullable: true }) told_since!: Date | null;
  /** The latest time that the service itself has found. */
  @Column('timestamptz', { nullable: true }) found_since!: Date | null;
  /** Workers increment it every second, and remember it. */
  @Column('bigint', { default: 0 }) beat!: number;
  @Column('timestamptz', { nullable: true }) beat_at!: Date | null;
  /** The run that keeps the latest beat at Temporal. */
  @Column('text', { nullable: true }) run_id!: string | null;
  /** The result of `database_identity()` at the latest beat. */
  @Column('text', { nullable: true }) identity!: string | null;
}

/** A single row in an unlogged table: it is gone after a crash, and in a replica that was promoted. */
@NotPersonal
@Entity('database_marks')
export class DatabaseMark {
  @PrimaryColumn('uuid', { default: () => 'gen_random_uuid()' }) id!: string;
}

/** Idempotency keys under which the processor has saved a 500, which it would repeat for a day. */
@NotPersonal
@Entity('processor_keys')
export class ProcessorKey {
  @PrimaryColumn('text') key!: string;
  /** Appended to the key for the next attempt. */
  @Column('integer') suffix!: number;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

export type CheckoutState = Checkout['state'];
