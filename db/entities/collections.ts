import { Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPerson, Erased, ErasureKey, Kept, NotPersonal } from '../personal-data/declarations.js';

/** One row per request to put a card on file, written before a session is requested from the processor. */
@Entity('card_setups')
export class CardSetup {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('uuid', { nullable: true }) company_id!: string | null;
  @ErasureKey('members') @Column('text', { nullable: true }) member_id!: string | null;
  @Kept @Column('text') account_id!: string;
  @Erased @Column('text', { nullable: true }) url!: string | null;
  @Kept @Column('text', { nullable: true }) session_id!: string | null;
  @Kept @Column('timestamptz') session_expires_at!: Date;
  @Kept @Column('text', { default: 'opening' }) state!: 'opening' | 'open' | 'saved' | 'closed';
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** The card on file of a payer, at the processor. A newer card replaces it. */
@DeletedWithPerson
@Entity('cards')
export class Card {
  @PrimaryColumn('text') setup_id!: string;
  @Column('text') workspace_id!: string;
  @Column('uuid', { nullable: true }) company_id!: string | null;
  @Column('text', { nullable: true }) member_id!: string | null;
  @Column('text') account_id!: string;
  @Column('text') customer_id!: string;
  @Column('text') payment_method_id!: string;
  @Column('text') brand!: string;
  @Column('text') last4!: string;
  @Column('integer') exp_month!: number;
  @Column('integer') exp_year!: number;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** Cards to be detached at the processor. A row is deleted when its card is detached. */
@NotPersonal
@Entity('removed_cards')
export class RemovedCard {
  @PrimaryColumn('text') setup_id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') account_id!: string;
  @Column('text') payment_method_id!: string;
  @Column('timestamptz', { default: () => 'now()' }) removed_at!: Date;
  /** When the outbox relay notifies the run (again). */
  @Column('timestamptz', { default: () => 'now()' }) notify_at!: Date;
}

@NotPersonal
@Entity('collections')
export class Collection {
  @PrimaryColumn('text') invoice_id!: string;
  @Column('text') workspace_id!: string;
  @Column('text', { default: 'scheduled' }) status!:
    | 'scheduled'
    | 'charging'
    | 'retrying'
    | 'action_required'
    | 'reminding'
    | 'overdue'
    | 'ended';
  /** When its next step is due; null once nothing is left to do. */
  @Column('timestamptz', { nullable: true }) next_at!: Date | null;
  /** How often a card was charged. */
  @Column('integer', { default: 0 }) attempts!: number;
  /** Reminders scheduled until then have been handled. */
  @Column('timestamptz', { nullable: true }) reminded_until!: Date | null;
  @Column('timestamptz', { nullable: true }) mailed_at!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) started_at!: Date;
  /**
   * When the outbox relay checks it: a step is due, something has changed, or its run may be lost. Null if
   * nothing is left to do.
   */
  @Column('timestamptz', { nullable: true, default: () => 'now()' }) notify_at!: Date | null;
}
