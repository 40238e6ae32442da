/** The event types that `*` subscribes to (docs/rules/events.md#types). */
export const EVENT_TYPES = [
  'booking.created',
  'booking.confirmed',
  'booking.updated',
  'booking.change_pending',
  'booking.change_lapsed',
  'booking.cancelled',
  'booking.expired',
  'booking.completed',
  'booking.no_show',
  'member.created',
  'member.invited',
  'member.activated',
  'member.updated',
  'member.tier_changed',
  'member.role_changed',
  'member.archived',
  'member.deleted',
] as const;

/** Sent only to endpoints that subscribe to these types by name. */
export const OPT_IN_EVENT_TYPES = [
  'invoice.created',
  'invoice.updated',
  'invoice.sent',
  'invoice.overdue',
  'invoice.paid',
  'invoice.voided',
  'invoice.refunded',
  'payment.succeeded',
  'payment.failed',
  'payment.action_required',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'payment.dispute_closed',
] as const;

/** Sent only by `POST /v1/webhook-endpoint/test`. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** Subscribes to all of `EVENT_TYPES`, including types added later. */
export const ALL_EVENTS = '*';

export type EventType =
  | (typeof EVENT_TYPES)[number]
  | (typeof OPT_IN_EVENT_TYPES)[number]
  | typeof TEST_EVENT_TYPE;

/** Every type that an event can have. */
export const KNOWN_EVENT_TYPES: readonly EventType[] = [
  ...EVENT_TYPES,
  ...OPT_IN_EVENT_TYPES,
  TEST_EVENT_TYPE,
];

/** The API version of the objects in events (docs/rules/events.md#body). */
export const API_VERSION = 'v1';

/** An event as it is stored and sent. */
export interface EventBody {
  id: string;
  type: EventType;
  api_version: typeof API_VERSION;
  /** ISO 8601 UTC. */
  created_at: string;
  workspace_id: string;
  /** Increases by one with each event of the same object. */
  sequence: number;
  data: { object: unknown; previous?: unknown };
}

/**
 * The event types of one kind of object: `EventTypesFor<'booking'>` is `booking.created`,
 * `booking.confirmed` and so on.
 */
export type EventTypesFor<Kind extends string> = Extract<EventType, `${Kind}.${string}`>;
