import joi, { type ObjectSchema } from 'joi';
import { COMMON_FAULTS } from '../../simulator/controls.js';
import { DISPUTE_STATUSES, type DisputeStatus, type Funds } from '../payments/dispute.js';
import type { Faults } from '../state/faults.js';
import type { RefundMode, Via } from '../state/records.js';

/** An object whose fields may be null, which is like leaving them out. Values are not converted. */
function object<T>(fields: Record<string, joi.Schema>): ObjectSchema<T> {
  const nullable = Object.entries(fields).map(([name, field]) => [name, field.empty(null)]);
  return joi.object(Object.fromEntries(nullable)).prefs({ convert: false });
}

const text = joi.string().allow('');
const amount = joi.number().integer().min(1);
const count = joi.number().integer().min(0).default(0);
const outcome = joi.valid('succeeded', 'failed').default('succeeded');
const vias = joi.valid('platform', 'connect');
const status = joi.valid(...DISPUTE_STATUSES);
const funds = joi.valid('withdrawn', 'reinstated');

export const PAY = object<{ async: boolean; card?: string; email?: string; name?: string }>({
  async: joi.boolean().default(false),
  card: text,
  email: text,
  name: text,
});

export const DECLINE = object<{ card?: string }>({ card: text });

export const SETTLE = object<{ status: 'succeeded' | 'failed' }>({ status: outcome });

/** Omitted fields mean no such fault. */
export const FAULTS = object<Faults & { account?: string }>({
  account: text,
  drop_webhooks: joi.array().items(text).default([]),
  duplicate_webhooks: count,
  webhook_delay_ms: count,
  shuffle_webhooks: joi.boolean().default(false),
  webhook_routing: joi.valid('specification', 'stripe').default('specification'),
  break_endpoints: joi.array().items(vias).default([]),
  ...COMMON_FAULTS,
});

export const REFUND_MODE = object<{ mode: RefundMode; account?: string }>({
  mode: joi.valid('succeed', 'pending', 'fail_later', 'no_balance').required(),
  account: text,
});

export const REFUND_END = object<{ status: 'succeeded' | 'failed' | 'canceled' | 'requires_action' }>({
  status: joi.valid('succeeded', 'failed', 'canceled', 'requires_action').default('succeeded'),
});

export const REFUND = object<{ amount?: number }>({ amount });

export const DISPUTE = object<{ amount?: number; funds?: Funds; reason?: string; status: DisputeStatus }>({
  amount,
  funds,
  reason: text,
  status: status.default('needs_response'),
});

export const DISPUTE_MOVE = object<{ funds?: Funds; status?: DisputeStatus }>({ funds, status });

export interface EventBody {
  event_id?: string;
  type: string;
  object: object;
  via: Via;
  account?: string;
  livemode?: boolean;
  created?: number;
}

/** An earlier event by its id, or the fields of a new one. */
export const EVENT = object<EventBody>({
  event_id: text,
  type: text,
  object: joi.object(),
  via: vias,
  account: text,
  livemode: joi.boolean(),
  created: joi.number().integer(),
})
  .or('event_id', 'type')
  .and('type', 'object', 'via')
  .without('event_id', ['type', 'account', 'livemode', 'created']);
