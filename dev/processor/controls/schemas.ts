import joi, { type ObjectSchema } from 'joi';
import { DISPUTE_STATUSES, type DisputeStatus, type Evidence, type Funds } from '../payments/dispute.js';
import type { PayoutStatus } from '../payments/payout.js';
import { FAULTS as FAULT_FIELDS, type Faults } from '../state/faults.js';
import type { RefundMode, Via } from '../state/records.js';

/** An object whose fields may be null, which is the same as omitting them. Values are not converted. */
function object<T>(fields: Record<string, joi.Schema>): ObjectSchema<T> {
  const nullable = Object.entries(fields).map(([name, field]) => [name, field.empty(null)]);
  return joi.object(Object.fromEntries(nullable)).prefs({ convert: false });
}

const text = joi.string().allow('');
const amount = joi.number().integer().min(1);
const outcome = joi.valid('succeeded', 'failed').default('succeeded');
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

export const FAULTS = object<Faults & { account?: string }>({ account: text, ...FAULT_FIELDS });

export const REFUND_MODE = object<{ mode: RefundMode; account?: string }>({
  mode: joi.valid('succeed', 'pending', 'fail_later', 'no_balance', 'held').required(),
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

export const DISPUTE_MOVE = object<{ evidence?: Evidence; funds?: Funds; status?: DisputeStatus }>({
  evidence: joi.valid('staged', 'submitted', 'late'),
  funds,
  status,
});

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
  via: joi.valid('platform', 'connect'),
  account: text,
  livemode: joi.boolean(),
  created: joi.number().integer(),
})
  .or('event_id', 'type')
  .and('type', 'object', 'via')
  .without('event_id', ['type', 'account', 'livemode', 'created']);

export const PAYOUT = object<{ currency: string }>({ currency: joi.string().lowercase().default('gbp') });

export const PAYOUT_MOVE = object<{ status: PayoutStatus }>({
  status: joi.valid('in_transit', 'paid', 'failed', 'canceled').default('paid'),
});

export const ACCOUNT = object<{ charges_enabled: boolean }>({ charges_enabled: joi.boolean().required() });
