/**
 * The states and transitions of each kind of object, as data: docs/rules/bookings.md#states,
 * docs/rules/billing.md#invoice-states, docs/rules/members.md#states.
 */

/** Moves an object from one of several statuses to another. */
export interface Transition<Status> {
  from: readonly Status[];
  to: Status;
}

/** True if the transition is possible from a status. */
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

/** True if a booking no longer holds its slot. */
export const hasEnded = (status: BookingStatus): status is EndedBookingStatus =>
  !(LIVE_BOOKING_STATUSES as readonly BookingStatus[]).includes(status);

/** How a booking is paid. A booking with `checkout` gets `desk` when it is paid at the desk. */
export const SETTLED = ['checkout', 'on_account', 'desk'] as const;
export type Settled = (typeof SETTLED)[number];

export const BOOKING_TRANSITIONS = {
  confirm: { from: ['pending_payment'], to: 'confirmed' },
  expire: { from: ['pending_payment'], to: 'expired' },
  complete: { from: ['confirmed'], to: 'completed' },
  cancel: { from: ['pending_payment', 'confirmed'], to: 'cancelled' },
} as const satisfies Record<string, Transition<BookingStatus>>;

/** The transitions of a change of a booking or its cancellation (docs/rules/bookings.md#changes). */
export type ChangeState = 'requested' | 'charging' | 'opening' | 'pending' | 'done' | 'refused';

/** The states of a change whose difference is not paid yet. The booking holds both slots. */
export const UNPAID_CHANGE_STATES = ['charging', 'opening', 'pending'] as const satisfies ChangeState[];

export const CHANGE_TRANSITIONS = {
  charge: { from: ['requested'], to: 'charging' },
  /** A checkout is opened for the payer, also after a declined charge. */
  open: { from: ['requested', 'charging'], to: 'opening' },
  /** The payer can pay. */
  publish: { from: ['opening'], to: 'pending' },
  make: { from: ['requested', ...UNPAID_CHANGE_STATES], to: 'done' },
  refuse: { from: ['requested', ...UNPAID_CHANGE_STATES], to: 'refused' },
  /** The request is no longer waiting for it. */
  abandon: { from: ['requested'], to: 'refused' },
} as const satisfies Record<string, Transition<ChangeState>>;

/** The transitions of a request to create a booking. */
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

/** docs/rules/billing.md#invoice-states */
export const INVOICE_TRANSITIONS = {
  /** The subscription job has finished an invoice. */
  open: { from: ['draft'], to: 'open' },
  /** Its payer left before the invoice was opened. */
  cancel: { from: ['draft'], to: 'cancelled' },
  /** A bookkeeper has approved it in the accounting system. */
  authorise: { from: ['open'], to: 'authorised' },
  pay: { from: ['open', 'authorised'], to: 'paid' },
  void: { from: ['open', 'authorised'], to: 'void' },
  refund: { from: ['paid'], to: 'refunded' },
  /** A refund has failed, or more money was received. */
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

/**
 * The transitions of a refund, as the processor reports them. The bank can return even a refund that has
 * succeeded.
 */
export const REFUND_TRANSITIONS = {
  pending: { from: ['pending'], to: 'pending' },
  succeeded: { from: ['pending'], to: 'succeeded' },
  failed: { from: ['pending', 'succeeded'], to: 'failed' },
} as const satisfies Record<string, Transition<PaymentStatus>>;

type CheckoutState = 'opening' | 'open' | 'abandoned' | 'processing' | 'paid' | 'closed';

/** The states of a checkout that can still be paid. It can move to any state that the processor reports. */
export const UNFINISHED_CHECKOUT_STATES = [
  'opening',
  'open',
  'abandoned',
  'processing',
] as const satisfies CheckoutState[];

/** The transitions of a checkout that the service itself makes. */
export const CHECKOUT_TRANSITIONS = {
  /** The processor has opened its session. */
  open: { from: UNFINISHED_CHECKOUT_STATES, to: 'open' },
  /** The difference of a change was paid, even after its session was closed. */
  pay: { from: [...UNFINISHED_CHECKOUT_STATES, 'closed'], to: 'paid' },
  /** The session could not be opened. */
  abandon: { from: ['opening'], to: 'abandoned' },
  /** The purpose of the checkout no longer exists, so its session must be closed. */
  give_up: { from: ['opening', 'open'], to: 'abandoned' },
  /** The processor has not decided yet about a charge to the card on file. */
  await_decision: { from: ['opening'], to: 'processing' },
  /** The charge was declined. */
  refuse: { from: UNFINISHED_CHECKOUT_STATES, to: 'closed' },
} as const satisfies Record<string, Transition<CheckoutState>>;

/** The transitions of a request to put a card on file. */
export const CARD_SETUP_TRANSITIONS = {
  open: { from: ['opening'], to: 'open' },
  close: { from: ['opening', 'open'], to: 'closed' },
  save: { from: ['opening', 'open'], to: 'saved' },
} as const satisfies Record<string, Transition<'opening' | 'open' | 'saved' | 'closed'>>;

/** The status of a dispute. `inquiry` is a question from the bank that does not move money. */
export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost', 'prevented'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
/** The statuses of a dispute that has ended. */
export type DisputeEnd = Exclude<DisputeStatus, 'inquiry' | 'open'>;

/** True if a dispute has ended. A bank can still reopen it. */
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

export const CONNECTION_TRANSITIONS = {
  connect: { from: ['active', 'revoked', 'disconnected'], to: 'active' },
  /** The organisation has withdrawn its consent. */
  revoke: { from: ['active'], to: 'revoked' },
  disconnect: { from: ['active', 'revoked'], to: 'disconnected' },
} as const satisfies Record<string, Transition<'active' | 'revoked' | 'disconnected'>>;

export const ENDPOINT_TRANSITIONS = {
  enable: { from: ['enabled', 'disabled'], to: 'enabled' },
  disable: { from: ['enabled'], to: 'disabled' },
} as const satisfies Record<string, Transition<'enabled' | 'disabled'>>;

/** The transitions of a mail, by its outcome. */
export const MAIL_TRANSITIONS = {
  sent: { from: ['pending'], to: 'sent' },
  skipped: { from: ['pending'], to: 'skipped' },
  failed: { from: ['pending'], to: 'failed' },
} as const satisfies Record<string, Transition<'pending' | 'sent' | 'skipped' | 'failed'>>;

/** `deleted` marks an erased member, whom the API never shows. */
export const MEMBER_STATUSES = ['invited', 'active', 'trialing', 'paused', 'cancelled', 'archived'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number] | 'deleted';

/** docs/rules/members.md#states. `activate` also applies to a member who had left. */
export const MEMBER_TRANSITIONS = {
  sign_up: { from: ['invited'], to: 'active' },
  sign_up_on_trial: { from: ['invited'], to: 'trialing' },
  end_trial: { from: ['trialing'], to: 'active' },
  activate: { from: ['trialing', 'paused', 'cancelled', 'archived'], to: 'active' },
  pause: { from: ['active', 'trialing'], to: 'paused' },
  cancel: { from: ['active', 'trialing', 'paused'], to: 'cancelled' },
  archive: { from: ['invited', 'active', 'trialing', 'paused', 'cancelled'], to: 'archived' },
} as const satisfies Record<string, Transition<MemberStatus>>;

/** The transitions of the price of an upgrade (docs/rules/billing.md#tier-upgrades). */
export const TIER_CHANGE_TRANSITIONS = {
  price: { from: ['requested'], to: 'priced' },
  /** The processor gave no price: it is added to the next subscription invoice. */
  charge_later: { from: ['requested'], to: 'done' },
  invoice: { from: ['priced'], to: 'done' },
} as const satisfies Record<string, Transition<'requested' | 'priced' | 'done'>>;

/**
 * The transitions of the plan for a booking in the way of a blackout
 * (docs/rules/rooms.md#bookings-in-the-way).
 */
export const PLAN_TRANSITIONS = {
  /** Replaces the previous plan. */
  plan: { from: ['planned', 'failed', 'done'], to: 'planned' },
  try_again: { from: ['failed'], to: 'planned' },
  /** Finishing twice has no further effect. */
  finish: { from: ['planned', 'failed', 'done'], to: 'done' },
  fail: { from: ['planned', 'failed'], to: 'failed' },
} as const satisfies Record<string, Transition<'planned' | 'failed' | 'done'>>;
