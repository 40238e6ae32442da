import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Erased, ErasureKey, Kept, NotPersonal, Redacted, Replaced } from '../personal-data/declarations.js';
import type { CancelRequest } from '../../domain/bookings/cancellation.js';
import type {
  ChangeActor,
  ChangeOutcome,
  ChangePlan,
  ChangeRequest,
  MemberActor,
} from '../../domain/bookings/change.js';
import type { Answer, BookingSource, GuestBilling } from '../../domain/bookings/origin.js';
import { eraseChangePlan, eraseChangeRequest } from '../../domain/members/erasure.js';
import type { Metadata } from '../../domain/metadata.js';
import type { DeskPaymentRequest } from '../../domain/payments/desk-payment.js';
import type { RefundCap } from '../../domain/bookings/refund-shares.js';
import type { Pricing } from '../../domain/rates/price-lines.js';
import type { Language } from '../../domain/words/languages.js';

/**
 * One row per attempt to create a booking. A failed attempt frees its key, because the unique index is
 * partial.
 */
@Entity('booking_requests')
export class BookingRequest {
  @ErasureKey('bookings') @PrimaryColumn('text') booking_id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('text') idempotency_key!: string;
  /** SHA-256 of the request with aliases resolved and defaults applied. */
  @Kept @Column('bytea') fingerprint!: Buffer;
  @Kept @Column('text', { default: 'in_flight' }) state!: 'in_flight' | 'published' | 'failed';
  @Kept @Column('text', { nullable: true }) failure_code!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { nullable: true }) finished_at!: Date | null;
  /** A digest of a public guest's mailbox and client, by which their unpaid bookings are counted. */
  @Erased @Column('bytea', { nullable: true }) public_guest!: Buffer | null;
  /** A digest of a public guest's client, while their booking is unpaid. */
  @Erased @Column('bytea', { nullable: true }) client!: Buffer | null;
  /** The member who requested it in the dashboard, until it is published; null for other requests. */
  @Kept @Column('jsonb', { nullable: true }) actor!: MemberActor | null;
}

/**
 * The slots that live bookings hold, turnaround included. One booking may hold two overlapping slots while it
 * moves; two bookings may not.
 */
@NotPersonal
@Entity('slot_claims')
export class SlotClaim {
  @PrimaryColumn('text') booking_id!: string;
  @PrimaryColumn('uuid') room_id!: string;
  @PrimaryColumn('tstzrange') during!: string;
}

/**
 * The claim of a room that has parts or is a part, once for each of its leaves. Those of two bookings do not
 * overlap. Triggers create them (docs/rules/rooms.md#parts).
 */
@NotPersonal
@Entity('part_claims')
export class PartClaim {
  @PrimaryColumn('text') booking_id!: string;
  @PrimaryColumn('uuid') room_id!: string;
  @PrimaryColumn('tstzrange') during!: string;
  @PrimaryColumn('uuid') leaf_id!: string;
}

/**
 * live_room_id is set only while the status is live. Its foreign key then requires the claim, so a live
 * booking without its slot cannot be stored.
 */
@Entity('bookings')
export class Booking {
  @ErasureKey('bookings') @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  /** Short, to be read aloud and printed; unique in the workspace. */
  @Kept @Column('text', { default: () => 'new_booking_reference()' }) reference!: string;
  @Kept @Column('uuid') room_id!: string;
  @Kept @Column('text', { default: 'pending_payment' }) status!:
    | 'pending_payment'
    | 'confirmed'
    | 'cancelled'
    | 'completed'
    | 'expired';
  @Kept @Column('timestamptz') start_at!: Date;
  @Kept @Column('timestamptz') end_at!: Date;
  /** From the start to the end of the turnaround. */
  @Kept @Column('tstzrange') occupies!: string;
  @Column({ type: 'uuid', nullable: true, insert: false, update: false }) live_room_id!: string | null;
  @Kept @Column('text', { nullable: true }) member_id!: string | null;
  @Erased @Column('text', { nullable: true }) guest_email!: string | null;
  /** The canonical address, if it differs from guest_email in lower case. */
  @Erased @Column('text', { nullable: true }) guest_address!: string | null;
  @Erased @Column('text', { nullable: true }) guest_name!: string | null;
  /** When the guest's name and address were erased. */
  @Kept @Column('timestamptz', { nullable: true }) guest_erased_at!: Date | null;
  @Kept @Column('text', { default: 'api' }) source!: BookingSource;
  @Erased @Column('jsonb', { nullable: true }) guest_billing!: GuestBilling | null;
  /** The answers to the questions of the booking page. */
  @Erased @Column('jsonb', { nullable: true }) answers!: Answer[] | null;
  /** The booker's language; null for that of their membership or of the workspace. */
  @Erased @Column('text', { nullable: true }) locale!: Language | null;
  @Kept @Column('text', { nullable: true }) terms_version!: string | null;
  @Kept @Column('timestamptz', { nullable: true }) terms_accepted_at!: Date | null;
  @Kept @Column('uuid', { nullable: true }) company_id!: string | null;
  @Erased @Column('text', { nullable: true }) notes!: string | null;
  @Kept @Column('integer') attendees!: number;
  @Replaced({}) @Column('jsonb', { default: {} }) metadata!: Metadata;
  @Kept @Column('char') currency!: string;
  @Kept @Column('bigint') net_minor!: number;
  @Kept @Column('bigint') tax_minor!: number;
  @Kept @Column('bigint') price_minor!: number;
  @Kept @Column('text') tax_code!: string;
  @Kept @Column('integer') tax_rate_bps!: number;
  @Kept @Column('integer') price_per_hour_minor!: number;
  @Kept @Column('numeric') discount_percent!: string;
  /** The lines of a price by rates; null for the hourly price. */
  @Kept @Column('jsonb', { nullable: true }) pricing!: Pricing | null;
  /**
   * The lowest refund step that applied when the booking was moved. Hour credits are returned only at 100.
   */
  @Kept @Column('double precision', { default: 100 }) refund_percent_cap!: number;
  /** The maximum that is refunded of parts of its price; null if it was not moved since these are stored. */
  @Kept @Column('jsonb', { nullable: true }) refund_caps!: RefundCap[] | null;
  /** Hours paid with the member's hour credits. */
  @Kept @Column('integer', { default: 0 }) hour_credits_used!: number;
  /** The member's hour_credit_grants when the credits were taken. Null if none were. */
  @Kept @Column('integer', { nullable: true }) hour_credit_grant!: number | null;
  @Kept @Column('integer') hold_seconds!: number;
  /** For a booking on account, the days until its invoice is due; null if it is paid at a checkout. */
  @Kept @Column('integer', { nullable: true }) account_days!: number | null;
  /** Confirmed by a payment at the desk, not at its checkout. */
  @Kept @Column('boolean', { default: false }) paid_at_desk!: boolean;
  /**
   * Until then, a free booking of a public guest is held, unpublished, for the link in the mail to confirm
   * it.
   */
  @Kept @Column('timestamptz', { nullable: true }) confirm_until!: Date | null;
  /** Null until the checkout exists. Until then, only the constraints consider the booking. */
  @Kept @Column('timestamptz', { nullable: true }) published_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) expires_at!: Date | null;
  @Kept @Column('text', { nullable: true }) checkout_url!: string | null;
  @Kept @Column('timestamptz', { nullable: true }) confirmed_at!: Date | null;
  @Kept @Column('text', { nullable: true }) confirmation_source!:
    | 'success_page'
    | 'platform_webhook'
    | 'connect_webhook'
    | 'scheduler_self_heal'
    | null;
  @Kept @Column('text', { nullable: true }) processor_payment_intent_id!: string | null;
  @Kept @Column('timestamptz', { nullable: true }) cancelled_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) completed_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) expired_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) no_show_at!: Date | null;
  /** When the outbox relay enqueues the reminder; null if there is none any more. */
  @Erased @Column('timestamptz', { nullable: true }) remind_at!: Date | null;
  @Kept @Column('text', { nullable: true }) invoice_id!: string | null;
  /** The SEQUENCE of the calendar entry, which increases with each change. */
  @Kept @Column('integer', { default: 0 }) sequence!: number;
  /** Part of what the link is signed for: a new version ends earlier links. Null if there is no link. */
  @Erased @Column('integer', { nullable: true, default: 1 }) manage_link_version!: number | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/**
 * One row per requested PATCH, cancellation or payment at the desk, stored before its id is sent to the
 * booking's workflow.
 */
@Entity('booking_changes')
export class StoredChange {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @ErasureKey('bookings') @Column('text') booking_id!: string;
  @Kept @Column('text') kind!: 'change' | 'cancel' | 'payment';
  @Kept @Column('jsonb') actor!: ChangeActor;
  /**
   * Null once the change is finished: the booking then has the new values. A change in progress must not
   * restore erased notes.
   */
  @Redacted(({ request }: StoredChange) => eraseChangeRequest(request!))
  @Column('jsonb', { nullable: true })
  request!: ChangeRequest | CancelRequest | DeskPaymentRequest | null;
  /**
   * charging: it waits for its charge; opening: its checkout is being opened; pending: the payer can pay for
   * it.
   */
  @Kept @Column('text', { default: 'requested' }) state!:
    | 'requested'
    | 'charging'
    | 'opening'
    | 'pending'
    | 'done'
    | 'refused';
  /** The booking's new values once the difference is paid. Until then the booking holds both slots. */
  @Redacted(({ plan }: StoredChange) => eraseChangePlan(plan!))
  @Column('jsonb', { nullable: true })
  plan!: ChangePlan | null;
  @Kept @Column('jsonb', { nullable: true }) outcome!: ChangeOutcome | null;
  /** What happens if only the payer can pay a difference: the change fails, or they get a link. */
  @Kept @Column('text', { default: 'fail' }) on_authentication!: 'fail' | 'link';
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz', { nullable: true }) finished_at!: Date | null;
  /** When a pending change lapses, unless it is paid. */
  @Kept @Column('timestamptz', { nullable: true }) expires_at!: Date | null;
  /** A digest of the client that requests it with a manage link, until it is finished. */
  @Erased @Column('bytea', { nullable: true }) client!: Buffer | null;
}

/**
 * A message of staff to a booker: one row for each of the bookings that it is about, which have the same
 * booker. It is sent as one mail.
 */
@Entity('booking_messages')
export class BookingMessage {
  @PrimaryColumn('text') message_id!: string;
  @ErasureKey('bookings') @PrimaryColumn('text') booking_id!: string;
  @Kept @Column('text') workspace_id!: string;
  /** The messages that were sent with one request. */
  @Kept @Column('text') request_id!: string;
  @Erased @Column('text', { nullable: true }) subject!: string | null;
  @Erased @Column('text', { nullable: true }) body!: string | null;
  @Kept @Column('jsonb') actor!: MemberActor;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}
