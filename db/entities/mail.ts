import { Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPerson, Erased, ErasureKey, Kept, NotPersonal } from '../personal-data/declarations.js';
import type { MailKind } from '../../domain/mail/kinds.js';

/**
 * All mail, enqueued in the transaction that it reports. A row contains neither names nor addresses:
 * recipient and content are read when it is sent. Each workspace's mail is sent by one workflow, and sign-in
 * links by another one. An erasure deletes unsent mail.
 */
@Entity('mails')
export class Mail {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text', { nullable: true }) workspace_id!: string | null;
  @Kept @Column('text') kind!: MailKind;
  /** The id of the object that the mail is about. There is one mail per kind and object. */
  @Kept @Column('text') about!: string;
  @ErasureKey('bookings') @Column('text', { nullable: true }) booking_id!: string | null;
  @Kept @Column('text', { nullable: true }) invoice_id!: string | null;
  @Kept @Column('text', { nullable: true }) sign_in_link_id!: string | null;
  /** For mail about a person's account. */
  @Kept @Column('text', { nullable: true }) profile_id!: string | null;
  /** The invoice as PDF; null once the mail is no longer pending. */
  @Erased @Column('bytea', { nullable: true }) attachment!: Buffer | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  /** skipped: it no longer had a recipient. */
  @Kept @Column('text', { default: 'pending' }) status!: 'pending' | 'sent' | 'skipped' | 'failed';
  @Kept @Column('integer', { default: 0 }) attempts!: number;
  @Kept @Column('timestamptz', { default: () => 'now()' }) next_attempt_at!: Date;
  /** When the outbox relay notifies the workflow (again); null once the mail is no longer pending. */
  @Kept @Column('timestamptz', { nullable: true, default: () => 'now()' }) notify_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) sent_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) failed_at!: Date | null;
  /** The code of the last failed attempt: smtp_550, not_connected. */
  @Kept @Column('text', { nullable: true }) failure_code!: string | null;
}

/** The addresses that a workspace has mailed, as digests. Those of the last day are counted. */
@DeletedWithPerson
@Entity('mail_recipients')
export class MailRecipient {
  @PrimaryColumn('text') workspace_id!: string;
  /** SHA-256 of the workspace's id and the canonical address, separated by a line break. */
  @PrimaryColumn('bytea') digest!: Buffer;
  @Column('timestamptz', { default: () => 'now()' }) first_mailed_at!: Date;
  /** When the mail server permanently refused the address, within a day of the first mail to it. */
  @Column('timestamptz', { nullable: true }) refused_at!: Date | null;
  /**
   * The first mail was about a public guest's hold: nobody had paid, or proved that the address is theirs.
   */
  @Column('boolean', { default: false }) by_public_guest!: boolean;
  /** When it got its latest mail about an unpaid booking of a public guest, and about which booking. */
  @Column('timestamptz', { nullable: true }) held_mailed_at!: Date | null;
  @Column('text', { nullable: true }) held_booking_id!: string | null;
}

/** The latest hold of a workspace's mail to addresses that it has not mailed before. */
@NotPersonal
@Entity('mail_holds')
export class MailHold {
  @PrimaryColumn('text') workspace_id!: string;
  @Column('timestamptz') held_at!: Date;
  /** When it ends; null if the operator of the service must release it. */
  @Column('timestamptz', { nullable: true }) held_until!: Date | null;
  /** The reason given by the operator of the service; null if too many addresses refused mail. */
  @Column('text', { nullable: true }) reason!: string | null;
  /** When the operator of the service released it. Earlier refusals do not count. */
  @Column('timestamptz', { nullable: true }) released_at!: Date | null;
}
