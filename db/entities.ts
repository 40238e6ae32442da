import { getMetadataArgsStorage, type ColumnOptions } from 'typeorm';
import {
  ApiKey,
  ApiToken,
  Feed,
  RoomFeed,
  OAuthArtifact,
  OAuthClient,
  RateLimitBucket,
  RecoveryCode,
  Passkey,
  PasskeyChallenge,
  SecondFactor,
  Session,
  SignInLink,
} from './entities/access.js';
import {
  AccountingChart,
  AccountingConnection,
  AccountingConsent,
  AccountingContact,
  AccountingDocument,
  AccountingDue,
} from './entities/accounting.js';
import { BookingPage, BookingPageAddress, BookingPageTerms } from './entities/booking-page.js';
import {
  Booking,
  BookingMessage,
  StoredChange,
  BookingRequest,
  PartClaim,
  SlotClaim,
} from './entities/bookings.js';
import { Card, CardSetup, Collection, RemovedCard } from './entities/collections.js';
import { Extra, ExtraClaim } from './entities/extras.js';
import { Discount, DiscountRedemption } from './entities/discounts.js';
import { Event, WebhookDelivery, WebhookEndpoint, WebhookRetry } from './entities/events.js';
import {
  Adjustment,
  DocumentNumberGap,
  Invoice,
  InvoiceCounter,
  InvoiceDocument,
  InvoiceLine,
  InvoiceNumberGap,
  LostDocument,
  Statement,
  StatementInvoice,
} from './entities/invoices.js';
import { Mail, MailHold, MailRecipient } from './entities/mail.js';
import { Company, Member, MemberInvite, Profile } from './entities/members.js';
import {
  AccountRead,
  CardDecline,
  Checkout,
  Dispute,
  DisputeMovement,
  Payment,
  Platform,
  DatabaseMark,
  Recovery,
  ProcessorEvent,
  ProcessorKey,
} from './entities/payments.js';
import { Payout, PayoutEntry } from './entities/payouts.js';
import { Reconciliation, ReconciliationCharge, ReconciliationDispute } from './entities/reconciliation.js';
import { Blackout, BlackoutBooking, Room, RoomLeaf, RoomRates } from './entities/rooms.js';
import { SubscriptionCharge, TierChange, TierSubscription } from './entities/subscriptions.js';
import {
  AuditEntry,
  AuditLink,
  IdempotencyRecord,
  JobFailure,
  UsedQuota,
  Workspace,
} from './entities/workspaces.js';
import { Picture } from './entities/pictures.js';
import {
  SignInName,
  SsoCandidate,
  SsoConnection,
  SsoLogin,
  SsoServiceKey,
  SsoSubject,
} from './entities/single-sign-on.js';

export const ENTITIES = {
  account_reads: AccountRead,
  accounting_charts: AccountingChart,
  accounting_connections: AccountingConnection,
  accounting_consents: AccountingConsent,
  accounting_contacts: AccountingContact,
  accounting_documents: AccountingDocument,
  accounting_due: AccountingDue,
  adjustments: Adjustment,
  api_keys: ApiKey,
  api_tokens: ApiToken,
  audit_log: AuditEntry,
  audit_links: AuditLink,
  blackout_bookings: BlackoutBooking,
  blackouts: Blackout,
  booking_changes: StoredChange,
  booking_messages: BookingMessage,
  booking_page_addresses: BookingPageAddress,
  booking_page_terms: BookingPageTerms,
  booking_pages: BookingPage,
  booking_requests: BookingRequest,
  bookings: Booking,
  card_declines: CardDecline,
  card_setups: CardSetup,
  cards: Card,
  checkouts: Checkout,
  collections: Collection,
  companies: Company,
  discounts: Discount,
  discount_redemptions: DiscountRedemption,
  dispute_movements: DisputeMovement,
  disputes: Dispute,
  document_number_gaps: DocumentNumberGap,
  events: Event,
  extra_claims: ExtraClaim,
  extras: Extra,
  feeds: Feed,
  idempotency_keys: IdempotencyRecord,
  invoice_counters: InvoiceCounter,
  invoice_documents: InvoiceDocument,
  invoice_lines: InvoiceLine,
  invoice_number_gaps: InvoiceNumberGap,
  invoices: Invoice,
  lost_documents: LostDocument,
  job_failures: JobFailure,
  mail_holds: MailHold,
  mail_recipients: MailRecipient,
  mails: Mail,
  member_invites: MemberInvite,
  members: Member,
  oauth_artifacts: OAuthArtifact,
  oauth_clients: OAuthClient,
  part_claims: PartClaim,
  payments: Payment,
  payout_entries: PayoutEntry,
  payouts: Payout,
  processor_events: ProcessorEvent,
  processor_keys: ProcessorKey,
  pictures: Picture,
  platform: Platform,
  profiles: Profile,
  rate_limit_buckets: RateLimitBucket,
  reconciliation_charges: ReconciliationCharge,
  reconciliation_disputes: ReconciliationDispute,
  reconciliations: Reconciliation,
  database_marks: DatabaseMark,
  recovery: Recovery,
  recovery_codes: RecoveryCode,
  removed_cards: RemovedCard,
  room_leaves: RoomLeaf,
  room_rates: RoomRates,
  room_feeds: RoomFeed,
  rooms: Room,
  passkeys: Passkey,
  passkey_challenges: PasskeyChallenge,
  second_factors: SecondFactor,
  sessions: Session,
  sign_in_links: SignInLink,
  sign_in_names: SignInName,
  slot_claims: SlotClaim,
  sso_candidates: SsoCandidate,
  sso_connections: SsoConnection,
  sso_logins: SsoLogin,
  sso_service_keys: SsoServiceKey,
  sso_subjects: SsoSubject,
  statement_invoices: StatementInvoice,
  statements: Statement,
  subscription_charges: SubscriptionCharge,
  tier_changes: TierChange,
  tier_subscriptions: TierSubscription,
  used_quotas: UsedQuota,
  webhook_deliveries: WebhookDelivery,
  webhook_endpoints: WebhookEndpoint,
  webhook_retries: WebhookRetry,
  workspaces: Workspace,
};

export type Table = keyof typeof ENTITIES;

/** A row of a table. If the table is known, its entity is more specific. */
export type Row<T extends Table> = InstanceType<(typeof ENTITIES)[T]>;

/**
 * Returns the columns of an entity as its decorators declare them. Postgres computes columns with `insert:
 * false`.
 */
export const entityColumns = (entity: abstract new () => object): Record<string, ColumnOptions> =>
  Object.fromEntries(
    getMetadataArgsStorage()
      .filterColumns(entity)
      .map(({ propertyName, options }) => [propertyName, options]),
  );
