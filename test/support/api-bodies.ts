import type { ShownPage } from '../../api/resources/booking-page/operations.js';
import type { failure } from '../../api/openapi/errors.js';
import type { Infer } from '../../api/http/typed.js';
import type * as keys from '../../api/resources/api-keys/operations.js';
import type { auditEntry } from '../../api/resources/audit-log/operations.js';
import type { freeAndBusy } from '../../api/resources/bookings/availability/operations.js';
import type { blackout, createdBlackout } from '../../api/resources/blackouts/operations.js';
import type { linkedBooking } from '../../api/resources/bookings/booking.js';
import type { cancelledBooking } from '../../api/resources/bookings/cancel.js';
import type { sentBooking } from '../../api/resources/bookings/operations.js';
import type { bookingWithPendingChange, pendingChange } from '../../api/resources/bookings/pending-change.js';
import type { quote } from '../../api/resources/bookings/quote.js';
import type { company } from '../../api/resources/companies/operations.js';
import type { discount } from '../../api/resources/discounts/operations.js';
import type { extra } from '../../api/resources/extras/operations.js';
import type { deliveries } from '../../api/resources/events/operations.js';
import type { createdFeed, feed } from '../../api/resources/feeds/operations.js';
import type { invoice, invoiceDocuments } from '../../api/resources/invoices/invoice.js';
import type * as invoices from '../../api/resources/invoices/operations.js';
import type { erased } from '../../api/resources/guests/operations.js';
import type * as members from '../../api/resources/members/operations.js';
import type * as oauth from '../../api/resources/applications/operations.js';
import type { payment } from '../../api/resources/payments/payment.js';
import type * as sites from '../../api/resources/booking-page/public/operations.js';
import type { dayMessage, message } from '../../api/resources/bookings/messages/operations.js';
import type { toPrepare } from '../../api/resources/bookings/preparations/operations.js';
import type { report, running } from '../../api/resources/reconciliation/operations.js';
import type * as payouts from '../../api/resources/reports/payouts.js';
import type * as reports from '../../api/resources/reports/operations.js';
import type { roomRates } from '../../api/resources/rates/operations.js';
import type { room } from '../../api/resources/rooms/operations.js';
import type { cardSetup } from '../../api/resources/shared/payer-fields.js';
import type * as webhooks from '../../api/resources/events/webhook-endpoint/operations.js';
import type { accountingChart, link, workspaceRead } from '../../api/resources/workspaces/operations.js';

export type Page<Item> = { data: Item[]; next_cursor: string | null };
/** A booking by a member or by a guest; a test knows which. */
interface ByEither {
  booked_by: { member_id: string; guest: { email: string; name: string } };
}
export type Booking = Omit<Infer<typeof linkedBooking>, 'booked_by'> & ByEither;
/** A charge or a refund. */
interface Adjustment {
  amount_minor: number;
  payment_id: string;
  refund_id: string;
}
type ChangedBooking = Booking & { adjustment: Adjustment | null } & Infer<typeof bookingWithPendingChange>;
type CancelledBooking = Booking & Pick<Infer<typeof cancelledBooking>, 'refund'>;
export type Company = Infer<typeof company>;
export type Invoice = Infer<typeof invoice>;
export type Member = Infer<typeof members.expandable>;
export type Payment = Infer<typeof payment>;
export type Discount = Infer<typeof discount>;
export type Extra = Infer<typeof extra>;
export type Room = Infer<typeof room>;
export type AuditEntry = Omit<Infer<typeof auditEntry>, 'actor' | 'details'> & {
  actor: { member_id?: string; key_id?: string | null; guest?: string; system?: string };
  details: Record<string, unknown> &
    Record<'before' | 'after', Record<string, unknown> & { accounting: Workspace['accounting'] }>;
};
export type ApiKey = Infer<typeof keys.apiKey>;
export type Workspace = Infer<typeof workspaceRead>;
export type Report = Infer<typeof report>;
export interface Failure {
  error: Omit<Infer<typeof failure>['error'], 'code'> & { code: string };
}
/** An event as in the list and in webhooks. */
export interface Event<Body = Booking> {
  id: string;
  type: string;
  api_version: 'v1';
  created_at: string;
  workspace_id: string;
  sequence: number;
  data: { object: Body; previous?: Record<string, unknown> };
}

export type EventWithDeliveries = Event & { deliveries: Infer<typeof deliveries> };

/** The bodies of successful responses, by path; `*` stands for an id. */
interface Bodies {
  get: {
    '/v1/api-keys': Page<ApiKey>;
    '/v1/audit-log': Page<AuditEntry>;
    '/v1/auth/whoami': Awaited<ReturnType<(typeof keys.whoami)['run']>>;
    '/v1/availability': Infer<typeof freeAndBusy>;
    '/v1/api-keys/*': ApiKey;
    '/v1/bookings': Page<Booking>;
    '/v1/bookings/*': Booking;
    '/v1/bookings/*/pending-change': Infer<typeof pendingChange>;
    '/v1/companies': Page<Company>;
    '/v1/companies/*': Company;
    '/v1/events': Page<Event>;
    '/v1/events/*': EventWithDeliveries;
    '/v1/feeds': Page<Infer<typeof feed>>;
    '/v1/discounts': Page<Discount>;
    '/v1/discounts/*': Discount;
    '/v1/extras': Page<Extra>;
    '/v1/extras/*': Extra;
    '/v1/invoices': Page<Invoice>;
    '/v1/invoices/*': Invoice;
    '/v1/invoices/*.pdf': string;
    '/v1/invoices/*/documents': Infer<typeof invoiceDocuments>;
    '/v1/members': Page<Member>;
    '/v1/members/*': Member;
    '/v1/oauth-clients': Page<Infer<typeof oauth.oauthClient>>;
    '/v1/preparations': Infer<typeof toPrepare>;
    '/v1/payments': Page<Payment>;
    '/v1/payments/*': Payment;
    '/v1/payments/*.pdf': string;
    '/v1/calendar.ics': string;
    '/v1/reconciliation': Report & Infer<typeof running>;
    '/v1/reconciliations/*': Report & Infer<typeof running>;
    '/v1/reports/payouts': Page<Infer<typeof payouts.payout>>;
    '/v1/reports/payouts/*': Infer<typeof payouts.payout>;
    '/v1/reports/payouts/*/entries': Page<Infer<typeof payouts.payoutEntry>>;
    '/v1/reports/receivables': Infer<typeof reports.receivables>;
    '/v1/reports/tax': Infer<typeof reports.taxReport>;
    '/v1/reports/usage': Infer<typeof reports.usageReport>;
    '/v1/rooms': Page<Room>;
    '/v1/rooms/*': Room;
    '/v1/rooms/*/blackouts': Page<Infer<typeof blackout>>;
    '/v1/rooms/*/rates': Infer<typeof roomRates>;
    '/v1/booking-page': ShownPage;
    '/v1/public/rooms': Infer<typeof sites.rooms>;
    '/v1/public/availability': Infer<typeof sites.freeTime>;
    '/v1/public/bookings/*': Infer<typeof sites.guestBooking>;
    '/v1/webhook-endpoint': Infer<typeof webhooks.endpoint>;
    '/v1/workspace': Workspace;
    '/v1/workspace/accounting': Infer<typeof accountingChart>;
  };
  post: {
    '/v1/api-keys': Infer<typeof keys.createdKey>;
    '/v1/api-keys/*/rotate': Infer<typeof keys.rotated>;
    '/v1/api-keys/rotate': Infer<typeof keys.rotated>;
    '/v1/api-keys/revoke-all': Awaited<ReturnType<(typeof keys.revokeAllApiKeys)['run']>>;
    '/v1/bookings': Booking;
    '/v1/bookings/*/cancel': CancelledBooking;
    '/v1/bookings/*/messages': Infer<typeof message>;
    '/v1/messages': Infer<typeof dayMessage>;
    '/v1/bookings/*/payments': Booking & { payment: Payment };
    '/v1/bookings/*/no-show': Booking;
    '/v1/bookings/*/rotate-manage-link': Booking;
    '/v1/bookings/*/send': Infer<typeof sentBooking>;
    '/v1/companies': Company;
    '/v1/companies/*/card-setup': Infer<typeof cardSetup>;
    '/v1/events/*/redeliver': EventWithDeliveries;
    '/v1/feeds': Infer<typeof createdFeed>;
    '/v1/discounts': Discount;
    '/v1/extras': Extra;
    '/v1/guests/erase': Infer<typeof erased>;
    '/v1/invoices': Invoice;
    '/v1/invoices/*/adjustments': Infer<typeof invoices.adjusted>;
    '/v1/invoices/*/rotate-pay-link': Invoice;
    '/v1/invoices/*/checkout': Infer<typeof invoices.invoiceCheckout>;
    '/v1/invoices/*/mark-paid': Infer<typeof invoices.markedPaid>;
    '/v1/invoices/*/send': Infer<typeof invoices.sentInvoice>;
    '/v1/invoices/*/remind': Infer<typeof invoices.sentInvoice>;
    '/v1/invoices/*/void': Invoice;
    '/v1/members': Member;
    '/v1/members.bulk': Infer<typeof members.bulkResults>;
    '/v1/members/*/archive': Member;
    '/v1/members/*/card-setup': Infer<typeof cardSetup>;
    '/v1/members/*/resend-invite': Member;
    '/v1/oauth-clients': Infer<typeof oauth.createdClient>;
    '/v1/payments/*/refund': { payment: Payment; refund: Payment; refunds: Payment[]; invoice: Invoice };
    '/v1/public/bookings': Infer<typeof sites.guestBooking>;
    '/v1/public/quotes': Infer<typeof sites.quote>;
    '/v1/quotes': Infer<typeof quote>;
    '/v1/rooms': Room;
    '/v1/rooms/*/copy': Room;
    '/v1/rooms/*/pictures': Room;
    '/v1/rooms/*/blackouts': Infer<typeof createdBlackout>;
    '/v1/webhook-endpoint/rotate-secret': Infer<typeof webhooks.rotatedEndpoint>;
    '/v1/webhook-endpoint/test': Event<{ url: string }> & Pick<EventWithDeliveries, 'deliveries'>;
    '/v1/workspace/accounting/connect': Infer<typeof link>;
    '/v1/workspace/accounting/refresh': Infer<typeof accountingChart>;
    '/v1/workspace/processor/onboarding': Infer<typeof link>;
  };
  patch: {
    '/v1/api-keys/*': ApiKey;
    '/v1/bookings/*': ChangedBooking;
    '/v1/companies/*': Company;
    '/v1/discounts/*': Discount;
    '/v1/extras/*': Extra;
    '/v1/invoices/*': Invoice;
    '/v1/members/*': Member;
    '/v1/rooms/*': Room;
    '/v1/workspace': Workspace;
  };
  put: {
    '/v1/rooms/*/rates': Infer<typeof roomRates>;
    '/v1/booking-page': ShownPage;
    '/v1/booking-page/terms': ShownPage;
    '/v1/webhook-endpoint': Infer<typeof webhooks.createdEndpoint>;
    '/v1/workspace/logo': Workspace;
  };
  delete: { '/v1/bookings/*/pending-change': Booking; '/v1/members/*': string };
}
export type Method = keyof Bodies;

/** A path with `*` for the interpolations of a template literal, without the query. */
type Template<Path extends string> = Path extends `${infer Plain}?${string}`
  ? Template<Plain>
  : Path extends `${infer Head}/${infer Rest}`
    ? `${Segment<Head>}/${Template<Rest>}`
    : Segment<Path>;
type Segment<Text extends string> =
  {} extends Record<Text, 1> ? (Text extends `${string}.pdf` ? '*.pdf' : '*') : Text;

/** What a test reads from the body of a variable path: an object or a list. */
interface Unnamed {
  id: string;
  data: { id: string }[];
  next_cursor: string | null;
  [field: string]: unknown;
}

/** The body of a response: of a success, or `error`. */
export type ResponseBody<M extends Method, Path extends string> =
  Template<Path> extends keyof Bodies[M]
    ? Bodies[M][Template<Path>] extends string
      ? string & Failure
      : Bodies[M][Template<Path>] & Failure
    : Unnamed & Failure;
