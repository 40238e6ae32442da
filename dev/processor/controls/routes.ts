import type Router from '@koa/router';
import { ControlProblem, createControls } from '../../simulator/controls.js';
import { setFaults } from '../../simulator/faults.js';
import { changeSettings, replaceSettings } from '../../simulator/settings.js';
import type { Table } from '../../simulator/table.js';
import { chargeToRefund } from '../api/refunds.js';
import { invalidRequest, resourceMissing } from '../http/errors.js';
import { failed } from '../http/response.js';
import { enableAccount } from '../payments/account.js';
import { accountsWithoutBalance, announceBalance } from '../payments/available.js';
import { cardBehaviour, DEFAULT_CARD, GENERIC_DECLINE } from '../payments/cards.js';
import { payCheckout, settleCheckout, successUrl } from '../payments/checkout.js';
import { moveDispute, openDispute, findOpenDispute, type DisputeStatus } from '../payments/dispute.js';
import { settleIntent } from '../payments/intent.js';
import { movePayout, payOut } from '../payments/payout.js';
import { createRefund, settleRefund } from '../payments/refund.js';
import type { Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { StoredSession } from '../state/records.js';
import { sendEvent } from './event.js';
import { ledger } from './ledger.js';
import * as bodies from './schemas.js';

/** The controls under `/_sim`, which stand in for payers, banks and accidents. */
export function addControls(router: Router, sim: Simulator): void {
  const { store } = sim;
  // Not reverted by an error, as a declined payment is one.
  const control = createControls(router, {
    transaction: (work) => store.transaction(work),
    failed: failedControl,
  });

  control('/_sim/checkout/:id/pay', bodies.PAY, ({ card, ...attempt }, id) => {
    const number = card ?? DEFAULT_CARD.number;
    const declined = payCheckout(sim, session(id), { ...attempt, card: { ...DEFAULT_CARD, number } });
    if (declined) throw invalidRequest(declined.message, { code: declined.code });
    return outcome(session(id));
  });
  control('/_sim/checkout/:id/decline', bodies.DECLINE, ({ card }, id) => {
    const decline = card ? cardBehaviour(card).on_session : GENERIC_DECLINE;
    if (decline === 'approved') throw invalidRequest(`The card ${card} is not declined.`, 'card');
    payCheckout(sim, session(id), {
      decline,
      ...(card && { card: { ...DEFAULT_CARD, number: card } }),
    });
    const { payment_intent, status, payment_status } = session(id).object;
    return { payment_intent, status, payment_status, decline };
  });
  control('/_sim/checkout/:id/settle', bodies.SETTLE, ({ status }, id) =>
    outcome(settleCheckout(sim, session(id), status === 'succeeded')),
  );
  // Ends an off-session payment that is being processed.
  control('/_sim/payment_intents/:id/settle', bodies.SETTLE, ({ status }, id) => {
    const intent = found(store.payment_intents, id, 'payment_intent');
    return settleIntent(sim, intent, status === 'succeeded').object;
  });

  control('/_sim/faults', bodies.FAULTS, ({ account, ...faults }, _, given) =>
    setFaults(store.settings, account, faults, given),
  );

  control('/_sim/accounts/:id', bodies.ACCOUNT, ({ charges_enabled }, id) =>
    enableAccount(sim, id, charges_enabled),
  );

  control('/_sim/refund_mode', bodies.REFUND_MODE, ({ mode, account = null }) => {
    const unfunded = mode === 'no_balance' ? [] : accountsWithoutBalance(sim, account);
    if (account === null) replaceSettings(store.settings, { refund_mode: mode });
    else changeSettings(store.settings, account, { refund_mode: mode });
    for (const funded of unfunded) announceBalance(sim, funded);
    return { mode };
  });
  control('/_sim/refunds/:id/settle', bodies.REFUND_END, ({ status }, id) => {
    return settleRefund(sim, found(store.refunds, id, 'refund'), status).object;
  });
  control('/_sim/payment_intents/:id/refund', bodies.REFUND, ({ amount }, id) => {
    const { account } = found(store.payment_intents, id, 'payment_intent');
    const charge = chargeToRefund(sim, { payment_intent: id }, account);
    return createRefund(sim, { charge, amount }, { account }).object;
  });

  // Opens a dispute. A final status alone closes the charge's open dispute, if it has one.
  control('/_sim/charges/:id/dispute', bodies.DISPUTE, ({ amount, funds, reason, status }, id) => {
    const charge = found(store.charges, id, 'charge');
    const open = ['won', 'lost', 'warning_closed'].includes(status) && findOpenDispute(sim, id);
    if (open && amount === undefined && reason === undefined) return moveDispute(sim, open, status, funds);
    return openDispute(sim, charge, { amount, reason, status, funds });
  });
  // Moves a dispute to a status. `funds` overrides what the status implies for its money, `evidence` is from
  // the account.
  control('/_sim/disputes/:id', bodies.DISPUTE_MOVE, ({ status, funds, evidence }, id) => {
    const stored = found(store.disputes, id, 'dispute');
    return moveDispute(sim, stored, status ?? (stored.object.status as DisputeStatus), funds, evidence);
  });

  // Pays out what the account has, as its schedule does.
  control('/_sim/accounts/:id/payout', bodies.PAYOUT, ({ currency }, id) => payOut(sim, id, currency).object);
  control('/_sim/payouts/:id', bodies.PAYOUT_MOVE, ({ status }, id) => {
    return movePayout(sim, found(store.payouts, id, 'payout'), status).object;
  });

  control('/_sim/event', bodies.EVENT, (body) => sendEvent(sim, body));
  router.get('/_sim/ledger', (ctx) => {
    ctx.body = ledger(store, ctx.query['account'] ? String(ctx.query['account']) : undefined);
  });

  function session(id: string): StoredSession {
    return found(store.sessions, id, 'checkout.session');
  }
}

function failedControl(error: unknown) {
  const theirs = error instanceof ControlProblem ? invalidRequest(error.message, error.param) : error;
  return failed(theirs, newId('req', 14));
}

function outcome(stored: StoredSession) {
  const { payment_intent, payment_status } = stored.object;
  return { payment_intent, payment_status, redirect_url: successUrl(stored) };
}

/** Finds an object of any account. */
function found<T>(table: Table<T>, id: string, name: string): T {
  const record = table.get(id);
  if (record) return record;
  throw resourceMissing(name, id, 'id');
}
