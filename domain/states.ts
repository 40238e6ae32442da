/**
 * States and transitions as data, per object: docs/rules/bookings.md#states,
 * docs/rules/billing.md#invoice-states, docs/rules/members.md#states.
 */

/** A trigger moves an object from one of these statuses to another. */
export interface Transition<Status> {
  from: readonly Status[];
  to: Status;
}

/** Whether a transition is possible from a status. */
export const canMove = <Status>(transition: Transition<Status>, from: Status): boolean =>
  transition.from.includes(from);

export const BOOKING_STATUSES = [
  'pending_payment',
  'confirmed',
  'cancelled',
  'completed',
  'expired',
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** The statuses in which a booking holds its slot. */
const LIVE_BOOKING_STATUSES = ['pending_payment', 'confirmed'] as const satisfies BookingStatus[];
export type EndedBookingStatus = Exclude<BookingStatus, (typeof LIVE_BOOKING_STATUSES)[number]>;

/** Whether a booking does not hold its slot any more. */
export const hasEnded = (status: BookingStatus): status is EndedBookingStatus =>
  !(LIVE_BOOKING_STATUSES as readonly BookingStatus[]).includes(status);

/** How a booking is paid: `desk` is what a payment at the desk makes of `checkout`. */
export const SETTLED = ['checkout', 'on_account', 'desk'] as const;
export type Settled = (typeof SETTLED)[number];

/** By trigger. */
export const BOOKING_TRANSITIONS = {
  confirm: { from: ['pending_payment'], to: 'confirmed' },
  expire: { from: ['pending_payment'], to: 'expired' },
  complete: { from: ['confirmed'], to: 'completed' },
  cancel: { from: ['pending_payment', 'confirmed'], to: 'cancelled' },
} as const satisfies Record<string, Transition<BookingStatus>>;

/** A change of a booking or its cancellation, by trigger (docs/rules/bookings.md#changes). */
export type ChangeState = 'requested' | 'charging' | 'opening' | 'pending' | 'done' | 'refused';

/** The states of a change whose difference is not paid yet: the booking holds both slots. */
export const UNPAID_CHANGE_STATES = ['charging', 'opening', 'pending'] as const satisfies ChangeState[];

export const CHANGE_TRANSITIONS = {
  /** The card on file is charged. */
  charge: { from: ['requested'], to: 'charging' },
  /** A checkout is opened for the payer, also after a refused charge. */
  open: { from: ['requested', 'charging'], to: 'opening' },
  /** The payer can pay. */
  publish: { from: ['opening'], to: 'pending' },
  make: { from: ['requested', ...UNPAID_CHANGE_STATES], to: 'done' },
  refuse: { from: ['requested', ...UNPAID_CHANGE_STATES], to: 'refused' },
  /** No request waits for it any more. */
  abandon: { from: ['requested'], to: 'refused' },
} as const satisfies Record<string, Transition<ChangeState>>;

/** The request of a booking that is created, by trigger. */
export const REQUEST_TRANSITIONS = {
  publish: { from: ['in_flight'], to: 'published' },
  fail: { from: ['in_flight'], to: 'failed' },
} as const satisfies Record<string, Transition<'in_flight' | 'published' | 'failed'>>;

export const INVOICE_STATUSES = [
  'draft',
  'open',
  'authorised',
  'paid',
  'void',
  'cancelled',
  'refunded',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** By trigger (docs/rules/billing.md#invoice-states). */
export const INVOICE_TRANSITIONS = {
  /** The subscription job has finished an invoice. */
  open: { from: ['draft'], to: 'open' },
  /** Its payer left before it was opened. */
  cancel: { from: ['draft'], to: 'cancelled' },
  /** A bookkeeper has approved it in the accounting system. */
  authorise: { from: ['open'], to: 'authorised' },
  pay: { from: ['open', 'authorised'], to: 'paid' },
  void: { from: ['open', 'authorised'], to: 'void' },
  /** All of its payments have been refunded. */
  refund: { from: ['paid'], to: 'refunded' },
  /** A refund has failed, or more was paid. */
  unrefund: { from: ['refunded'], to: 'paid' },
} as const satisfies Record<string, Transition<InvoiceStatus>>;

export const PAYMENT_STATUSES = [
  'pending',
  'succeeded',
  'failed',
  'partially_refunded',
  'refunded',
  'disputed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A refund, by what the processor reports. The bank can return even one that has succeeded. */
export const REFUND_TRANSITIONS = {
  pending: { from: ['pending'], to: 'pending' },
  succeeded: { from: ['pending'], to: 'succeeded' },
  failed: { from: ['pending', 'succeeded'], to: 'failed' },
} as const satisfies Record<string, Transition<PaymentStatus>>;

type CheckoutState = 'opening' | 'open' | 'abandoned' | 'processing' | 'paid' | 'closed';

/** The states of a checkout that can still be paid; it can get any state that the processor reports. */
export const UNFINISHED_CHECKOUT_STATES = [
  'opening',
  'open',
  'abandoned',
  'processing',
] as const satisfies CheckoutState[];

/** A checkout, by what we do with it. */
export const CHECKOUT_TRANSITIONS = {
  /** The processor has opened its session. */
  open: { from: UNFINISHED_CHECKOUT_STATES, to: 'open' },
  /** The difference of a change was paid, even after its session was closed. */
  pay: { from: [...UNFINISHED_CHECKOUT_STATES, 'closed'], to: 'paid' },
  /** It could not be opened. */
  abandon: { from: ['opening'], to: 'abandoned' },
  /** What it was for has ended: its session must be closed. */
  give_up: { from: ['opening', 'open'], to: 'abandoned' },
  /** The processor has not decided about a charge to the card on file. */
  await_decision: { from: ['opening'], to: 'processing' },
  /** The charge was refused. */
  refuse: { from: UNFINISHED_CHECKOUT_STATES, to: 'closed' },
} as const satisfies Record<string, Transition<CheckoutState>>;

/** A request to put a card on file, by trigger. */
export const CARD_SETUP_TRANSITIONS = {
  open: { from: ['opening'], to: 'open' },
  close: { from: ['opening', 'open'], to: 'closed' },
  save: { from: ['opening', 'open'], to: 'saved' },
} as const satisfies Record<string, Transition<'opening' | 'open' | 'saved' | 'closed'>>;

/** What a dispute of a payment has come to; `inquiry` is a bank's question that moves no money. */
export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost', 'prevented'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
/** What a dispute that has ended came to. */
export type DisputeEnd = Exclude<DisputeStatus, 'inquiry' | 'open'>;

/** True for a dispute that has ended, although a bank can still reopen it. */
export const isDisputeClosed = (status: DisputeStatus): status is DisputeEnd =>
  status !== 'inquiry' && status !== 'open';

/** The layers that can confirm a payment (docs/internals/architecture.md#payment-confirmation). */
export const CONFIRMATION_SOURCES = [
  'success_page',
  'platform_webhook',
  'connect_webhook',
  'scheduler_self_heal',
] as const;
export type ConfirmationSource = (typeof CONFIRMATION_SOURCES)[number];

export const PROCESSOR_STATUSES = ['unconfigured', 'pending', 'active', 'revoked'] as const;
export type ProcessorStatus = (typeof PROCESSOR_STATUSES)[number];

/** The connection to the accounting system, by trigger. */
export const CONNECTION_TRANSITIONS = {
  connect: { from: ['active', 'revoked', 'disconnected'], to: 'active' },
  /** The organisation has withdrawn its consent. */
  revoke: { from: ['active'], to: 'revoked' },
  disconnect: { from: ['active', 'revoked'], to: 'disconnected' },
} as const satisfies Record<string, Transition<'active' | 'revoked' | 'disconnected'>>;

/** A webhook endpoint, by trigger. */
export const ENDPOINT_TRANSITIONS = {
  enable: { from: ['enabled', 'disabled'], to: 'enabled' },
  disable: { from: ['enabled'], to: 'disabled' },
} as const satisfies Record<string, Transition<'enabled' | 'disabled'>>;

/** A mail, by its outcome. */
export const MAIL_TRANSITIONS = {
  sent: { from: ['pending'], to: 'sent' },
  skipped: { from: ['pending'], to: 'skipped' },
  failed: { from: ['pending'], to: 'failed' },
} as const satisfies Record<string, Transition<'pending' | 'sent' | 'skipped' | 'failed'>>;

/** `deleted` marks an erased member, which the API never shows. */
export const MEMBER_STATUSES = ['invited', 'active', 'trialing', 'paused', 'cancelled', 'archived'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number] | 'deleted';

/** By trigger (docs/rules/members.md#states). `activate` also applies to a member who had left. */
export const MEMBER_TRANSITIONS = {
  sign_up: { from: ['invited'], to: 'active' },
  sign_up_on_trial: { from: ['invited'], to: 'trialing' },
  end_trial: { from: ['trialing'], to: 'active' },
  activate: { from: ['trialing', 'paused', 'cancelled', 'archived'], to: 'active' },
  pause: { from: ['active', 'trialing'], to: 'paused' },
  cancel: { from: ['active', 'trialing', 'paused'], to: 'cancelled' },
  archive: { from: ['invited', 'active', 'trialing', 'paused', 'cancelled'], to: 'archived' },
} as const satisfies Record<string, Transition<MemberStatus>>;

/** The price of an upgrade, by trigger (docs/rules/billing.md#tier-upgrades). */
export const TIER_CHANGE_TRANSITIONS = {
  price: { from: ['requested'], to: 'priced' },
  /** Without a price from the processor, it is added to the next subscription invoice. */
  charge_later: { from: ['requested'], to: 'done' },
  invoice: { from: ['priced'], to: 'done' },
} as const satisfies Record<string, Transition<'requested' | 'priced' | 'done'>>;

/**
 * What is to happen to a booking in the way of a blackout, by trigger
 * (docs/rules/rooms.md#bookings-in-the-way).
 */
export const PLAN_TRANSITIONS = {
  /** In place of what was planned before. */
  plan: { from: ['planned', 'failed', 'done'], to: 'planned' },
  try_again: { from: ['failed'], to: 'planned' },
  /** Who carries it out twice has one outcome. */
  finish: { from: ['planned', 'failed', 'done'], to: 'done' },
  fail: { from: ['planned', 'failed'], to: 'failed' },
} as const satisfies Record<string, Transition<'planned' | 'failed' | 'done'>>;
