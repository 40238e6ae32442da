/** The events of spec.md, "Events": what `*` subscribes to. `member.created` is an extension. */
export const EVENT_TYPES = [
  'booking.created',
  'booking.confirmed',
  'booking.updated',
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

/** Extensions that only who subscribes by name is sent (decisions.md, "Events"). */
export const OPT_IN_EVENT_TYPES = [
  'invoice.created',
  'invoice.paid',
  'invoice.voided',
  'invoice.refunded',
  'payment.succeeded',
  'payment.refunded',
  'payment.refund_failed',
] as const;

/** What `POST /v1/webhook-endpoint/test` sends, and nothing else does. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** Subscribes to all of `EVENT_TYPES`, also those that are yet to come. */
export const ALL_EVENTS = '*';

export type EventType =
  (typeof EVENT_TYPES)[number] | (typeof OPT_IN_EVENT_TYPES)[number] | typeof TEST_EVENT_TYPE;

/** An event as it is stored and sent. */
export interface EventBody {
  id: string;
  type: EventType;
  /** ISO 8601 UTC. */
  created_at: string;
  workspace_id: string;
  /** Increases by one with each event of the same object. */
  sequence: number;
  data: { object: unknown; previous?: unknown };
}
