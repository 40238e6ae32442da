import joi from 'joi';
import { COMMON_FAULTS, type CommonFaults } from '../../simulator/faults.js';

/** The registration to which a webhook is sent, and whose secret signs it. Both are of the Connect kind. */
export type Via = 'platform' | 'connect';

/** Injected faults. */
export interface Faults extends CommonFaults {
  drop_webhooks: string[];
  /** Number of extra copies of each webhook. */
  duplicate_webhooks: number;
  webhook_delay_ms: number;
  shuffle_webhooks: boolean;
  /**
   * Sends checkout events to the platform's registration and all others to the Connect one, or all to the
   * Connect one.
   */
  webhook_routing: 'specification' | 'stripe';
  /** Registrations that receive nothing. */
  break_endpoints: Via[];
}

const count = joi.number().integer().min(0).default(0);

/** The fields of a request that sets the faults. Omitted fields mean no fault. */
export const FAULTS = {
  drop_webhooks: joi.array().items(joi.string().allow('')).default([]),
  duplicate_webhooks: count,
  webhook_delay_ms: count,
  shuffle_webhooks: joi.boolean().default(false),
  webhook_routing: joi.valid('specification', 'stripe').default('specification'),
  break_endpoints: joi.array().items(joi.valid('platform', 'connect')).default([]),
  ...COMMON_FAULTS,
};

/** No faults. */
export const NO_FAULTS = joi.attempt({}, joi.object(FAULTS)) as Faults;

/** True if the webhook of an event to a registration is dropped. */
export function dropsWebhook({ drop_webhooks, break_endpoints }: Faults, type: string, via: Via): boolean {
  return drop_webhooks.includes('all') || drop_webhooks.includes(type) || break_endpoints.includes(via);
}
