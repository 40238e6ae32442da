import type Router from '@koa/router';
import type { Context } from 'koa';
import { failed } from '../http/response.js';
import { invalidRequest, resourceMissing } from '../http/errors.js';
import { behaviourOf, DEFAULT_CARD, GENERIC_DECLINE } from '../payments/cards.js';
import { payCheckout, settleCheckout, successUrl } from '../payments/checkout.js';
import {
  DISPUTE_STATUSES,
  moveDispute,
  openDispute,
  openDisputeOf,
  type DisputeStatus,
} from '../payments/dispute.js';
import { accountsWithoutBalance, announceBalance } from '../payments/available.js';
import { settleIntent } from '../payments/intent.js';
import { createRefund, settleRefund } from '../payments/refund.js';
import { chargeToRefund } from '../api/refunds.js';
import { changeSettings, replaceSettings } from '../settings.js';
import type { Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { StoredSession } from '../state/records.js';
import type { Table } from '../../simulator/table.js';
import { field, onlyKnown, readJson, word } from './body.js';
import { sendEvent } from './event.js';
import { readFaults } from './faults.js';
import { ledger } from './ledger.js';

type Body = Record<string, unknown>;
type Control = (sim: Simulator, body: Body, id: string) => unknown;

const CONTROLS: Record<string, Control> = {
  '/_sim/checkout/:id/pay': pay,
  '/_sim/checkout/:id/decline': decline,
  '/_sim/checkout/:id/settle': settle,
  '/_sim/faults': setFaults,
  '/_sim/refund_mode': setRefundMode,
  '/_sim/refunds/:id/settle': endRefund,
  '/_sim/payment_intents/:id/refund': refund,
  '/_sim/payment_intents/:id/settle': settlePayment,
  '/_sim/charges/:id/dispute': dispute,
  '/_sim/disputes/:id': changeDispute,
  '/_sim/event': sendEvent,
};

/** The controls under `/_sim`, which stand in for payers, banks and accidents. */
export function addControls(router: Router, sim: Simulator): void {
  for (const [path, control] of Object.entries(CONTROLS)) {
    router.post(path, (ctx) =>
      respondJson(ctx, async () => {
        const body = await readJson(ctx);
        const id = String((ctx['params'] as { id?: string }).id ?? '');
        // Sending an event waits for the receiver; all other controls are one transaction.
        return control === sendEvent
          ? sendEvent(sim, body)
          : sim.store.transaction(() => control(sim, body, id));
      }),
    );
  }
  router.get('/_sim/ledger', (ctx) =>
    respondJson(ctx, () =>
      ledger(sim.store, ctx.query['account'] ? String(ctx.query['account']) : undefined),
    ),
  );
}

async function respondJson(ctx: Context, work: () => unknown): Promise<void> {
  try {
    ctx.body = await work();
  } catch (error) {
    const { status, body } = failed(error, newId('req', 14));
    ctx.status = status;
    ctx.body = body;
  }
}

function pay(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'async', 'card', 'email', 'name');
  const number = field(body, 'card', 'string') ?? DEFAULT_CARD.number;
  const declined = payCheckout(sim, session(sim, id), {
    async: field(body, 'async', 'boolean') ?? false,
    card: { ...DEFAULT_CARD, number },
    email: field(body, 'email', 'string'),
    name: field(body, 'name', 'string'),
  });
  if (declined) throw invalidRequest(declined.message, { code: declined.code });
  return outcome(session(sim, id));
}

function decline(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'card');
  const card = field(body, 'card', 'string');
  const behaviour = card ? behaviourOf(card).on_session : GENERIC_DECLINE;
  if (behaviour === 'approved') throw invalidRequest(`The card ${card} is not declined.`, { param: 'card' });
  payCheckout(sim, session(sim, id), {
    decline: behaviour,
    ...(card && { card: { ...DEFAULT_CARD, number: card } }),
  });
  const { payment_intent, status, payment_status } = session(sim, id).object;
  return { payment_intent, status, payment_status, decline: behaviour };
}

function settle(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'status');
  const status = word(body, 'status', ['succeeded', 'failed']) ?? 'succeeded';
  return outcome(settleCheckout(sim, session(sim, id), status === 'succeeded'));
}

/** Ends an off-session payment that is being processed. */
function settlePayment(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'status');
  const status = word(body, 'status', ['succeeded', 'failed']) ?? 'succeeded';
  const intent = anyones(sim.store.payment_intents, id, 'payment_intent');
  return settleIntent(sim, intent, status === 'succeeded').object;
}

function outcome(stored: StoredSession) {
  const { payment_intent, payment_status } = stored.object;
  return { payment_intent, payment_status, redirect_url: successUrl(stored) };
}

/** Replaces the faults of one account, or without `account` all faults. `{account}` alone clears those of the account. */
function setFaults({ store }: Simulator, { account: given, ...body }: Body) {
  const account = field({ account: given }, 'account', 'string') ?? null;
  const faults = readFaults(body);
  if (account === null) replaceSettings(store, { faults });
  else changeSettings(store, account, { faults: Object.keys(body).length > 0 ? faults : undefined });
  return faults;
}

function setRefundMode(sim: Simulator, body: Body) {
  onlyKnown(body, 'mode', 'account');
  const mode = word(body, 'mode', ['succeed', 'pending', 'fail_later', 'no_balance']);
  if (!mode) throw invalidRequest("'mode' is needed.", { param: 'mode' });
  const account = field(body, 'account', 'string') ?? null;
  const unfunded = mode === 'no_balance' ? [] : accountsWithoutBalance(sim, account);
  if (account === null) replaceSettings(sim.store, { refund_mode: mode });
  else changeSettings(sim.store, account, { refund_mode: mode });
  for (const funded of unfunded) announceBalance(sim, funded);
  return { mode };
}

function endRefund(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'status');
  const status = word(body, 'status', ['succeeded', 'failed', 'canceled', 'requires_action']) ?? 'succeeded';
  return settleRefund(sim, anyones(sim.store.refunds, id, 'refund'), status).object;
}

function refund(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'amount');
  const { account } = anyones(sim.store.payment_intents, id, 'payment_intent');
  const charge = chargeToRefund(sim, { payment_intent: id }, account);
  return createRefund(sim, { charge, amount: amountOf(body) }, { account }).object;
}

/** Opens a dispute. A closing status alone closes the open dispute of the charge, if it has one. */
function dispute(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'amount', 'funds', 'reason', 'status');
  const charge = anyones(sim.store.charges, id, 'charge');
  const status = word(body, 'status', [...DISPUTE_STATUSES]) ?? 'needs_response';
  const funds = word(body, 'funds', ['withdrawn', 'reinstated']);
  const [amount, reason] = [amountOf(body), field(body, 'reason', 'string')];
  const open = ['won', 'lost', 'warning_closed'].includes(status) && openDisputeOf(sim, id);
  if (open && amount === undefined && reason === undefined) return moveDispute(sim, open, status, funds);
  return openDispute(sim, charge, { amount, reason, status, funds });
}

/** Moves a dispute to a status; `funds` moves its money otherwise than the status implies. */
function changeDispute(sim: Simulator, body: Body, id: string) {
  onlyKnown(body, 'funds', 'status');
  const stored = anyones(sim.store.disputes, id, 'dispute');
  const status = word(body, 'status', [...DISPUTE_STATUSES]) ?? (stored.object.status as DisputeStatus);
  return moveDispute(sim, stored, status, word(body, 'funds', ['withdrawn', 'reinstated']));
}

function amountOf(body: Body): number | undefined {
  const amount = field(body, 'amount', 'number');
  if (amount === undefined || amount > 0) return amount;
  throw invalidRequest("'amount' must be at least 1.", { param: 'amount' });
}

function session(sim: Simulator, id: string): StoredSession {
  return anyones(sim.store.sessions, id, 'checkout.session');
}

/** Finds an object of any account. */
function anyones<T>(table: Table<T>, id: string, name: string): T {
  const found = table.get(id);
  if (found) return found;
  throw resourceMissing(name, id, 'id');
}
