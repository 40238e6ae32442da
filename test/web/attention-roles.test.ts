import test from 'ava';
import type { AttentionItem } from '../../db/queries/workspaces/attention.js';
import { ROLES } from '../../domain/policies.js';
import { mayAct } from '../../web/dashboard/shared/attention/remedy.js';

test('a problem is shown to the roles that may act on it, and one that needs only waiting to all roles', (t) => {
  const about = {
    booking_id: 'bk_1',
    object_id: 'inv_1',
    payment_id: 'pay_1',
    amount_minor: 1,
    currency: 'GBP',
  };
  const actors = (kind: AttentionItem['kind']) =>
    ROLES.filter((role) => mayAct({ ...about, kind } as AttentionItem, role));
  const readers = ['billing_contact', 'admin', 'owner'];
  t.deepEqual(actors('refund_failed'), ['admin', 'owner']);
  t.deepEqual(actors('disputed'), readers);
  t.deepEqual(actors('refund_unfunded'), readers, 'funds are added at the processor');
  t.deepEqual(actors('hold_not_ended'), ['front_desk', 'admin', 'owner'], 'the payment can be looked up');
  t.deepEqual(actors('not_completed'), ROLES);
});
