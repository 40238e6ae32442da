import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  DeletedWithPerson,
  Erased,
  ErasureKey,
  Kept,
  NotPersonal,
  Replaced,
} from '../personal-data/declarations.js';
import type { Metadata } from '../../domain/metadata.js';
import type { Language } from '../../domain/words/languages.js';

@NotPersonal
@Entity('companies')
export class Company {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) billing_email!: string | null;
  /** Printed on its invoices; can have several lines. */
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) vat_number!: string | null;
  /** The first day on which the company had an active member. Its billing periods are counted from it. */
  @Column('date', { nullable: true }) billing_anchor!: string | null;
  /**
   * The start of the first billing period that has not been processed; null before the first one, which
   * starts at the anchor.
   */
  @Column('date', { nullable: true }) next_period_on!: string | null;
  /** The days to pay for what is booked on account; null if the company cannot book on account. */
  @Column('integer', { nullable: true }) payment_terms!: number | null;
  /**
   * The maximum that may be unpaid, in the workspace's currency, before another booking on account; null for
   * no limit.
   */
  @Column('bigint', { nullable: true }) credit_limit_minor!: number | null;
  /** Due invoices are charged to the card on file. */
  @Column('boolean', { default: false }) autopay!: boolean;
  /** The first of the month on which the next monthly statement is mailed; null for none. */
  @Column('date', { nullable: true }) next_statement_on!: string | null;
  @Column('jsonb', { default: {} }) metadata!: Metadata;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** People, one row per email address across all workspaces. */
@DeletedWithPerson
@Entity('profiles')
export class Profile {
  @PrimaryColumn('text') id!: string;
  @Column('text') email!: string;
  /**
   * When the person first used a link that was mailed to the address. Null: they have no session and no
   * second factor.
   */
  @Column('timestamptz', { nullable: true }) verified_at!: Date | null;
  /** Browsers that signed in before this time count as new. */
  @Column('timestamptz', { nullable: true }) devices_since!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * A person's membership in a workspace. An erased member keeps the row, which bookings and invoices
 * reference, but has no profile.
 */
@Entity('members')
export class Member {
  @ErasureKey('members') @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  /** Null for an erased member. */
  @Erased @Column('text', { nullable: true }) profile_id!: string | null;
  /** As entered by this workspace or the member. */
  @Erased @Column('text', { nullable: true }) name!: string | null;
  /** The address of the profile, in this workspace's spelling. */
  @Erased @Column('text', { nullable: true }) email!: string | null;
  /** The member's language as a payer; null for the workspace's. */
  @Erased @Column('text', { nullable: true }) locale!: Language | null;
  @Kept @Column('uuid', { nullable: true }) company_id!: string | null;
  @Kept @Column('text') role!: 'member' | 'front_desk' | 'billing_contact' | 'admin' | 'owner';
  @Kept @Column('text') tier!: 'basic' | 'plus' | 'pro' | 'enterprise';
  @Replaced('deleted') @Column('text') status!:
    | 'invited'
    | 'active'
    | 'trialing'
    | 'paused'
    | 'cancelled'
    | 'archived'
    | 'deleted';
  /** Whether the plan is invoiced, either to the member or to their company. */
  @Kept @Column('boolean', { default: true }) billed!: boolean;
  /** The remaining hours that the member can book with hour credits. */
  @Kept @Column('integer', { default: 0 }) hour_credit_balance!: number;
  /** How many times the balance was set to a monthly grant. */
  @Kept @Column('integer', { default: 0 }) hour_credit_grants!: number;
  /**
   * The hours granted in the month of the balance, less those that a lower tier took back. Null if none were
   * granted.
   */
  @Kept @Column('integer', { nullable: true }) hour_credits_granted!: number | null;
  @Kept @Column('timestamptz', { nullable: true }) joined_at!: Date | null;
  /**
   * When the person used a link of the workspace or accepted the membership in the dashboard. Null: they may
   * not know about it.
   */
  @Erased @Column('timestamptz', { nullable: true }) accepted_at!: Date | null;
  /**
   * The first day on which a member without a company was active. Their billing periods are counted from it.
   */
  @Kept @Column('date', { nullable: true }) billing_anchor!: string | null;
  /**
   * The start of the first billing period that has not been processed; null before the first one, which
   * starts at the anchor.
   */
  @Kept @Column('date', { nullable: true }) next_period_on!: string | null;
  /** The days to pay for what is booked on account; null if the member cannot book on account. */
  @Kept @Column('integer', { nullable: true }) payment_terms!: number | null;
  /**
   * The maximum that may be unpaid, in the workspace's currency, before another booking on account; null for
   * no limit.
   */
  @Kept @Column('bigint', { nullable: true }) credit_limit_minor!: number | null;
  /** Due invoices are charged to the card on file. */
  @Replaced(false) @Column('boolean', { default: false }) autopay!: boolean;
  /** The first of the month on which the next monthly statement is mailed; null for none. */
  @Erased @Column('date', { nullable: true }) next_statement_on!: string | null;
  /** The day on which the next grant of hour credits is due. */
  @Kept @Column('date', { nullable: true }) cycle_starts_on!: string | null;
  @Kept @Column('timestamptz', { nullable: true }) trial_ends_at!: Date | null;
  @Erased @Column('text', { nullable: true }) pending_tier!: 'basic' | 'plus' | 'pro' | 'enterprise' | null;
  @Erased @Column('timestamptz', { nullable: true }) pending_tier_at!: Date | null;
  @Replaced({}) @Column('jsonb', { default: {} }) metadata!: Metadata;
  @Kept @Column('timestamptz', { nullable: true }) archived_at!: Date | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** A member's open invite. Only the newest is kept. The link contains its signed id. */
@DeletedWithPerson
@Entity('member_invites')
export class MemberInvite {
  @PrimaryColumn('text') member_id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') id!: string;
  /** The address that the member has requested and that the link confirms. Null for an invite or a proof. */
  @Column('text', { nullable: true }) new_email!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz') expires_at!: Date;
}
