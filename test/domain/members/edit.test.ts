import test from 'ava';
import type { Refusal } from '../../../domain/errors.js';
import {
  whyNotEdit,
  whyNotInvite,
  whyNotStatus,
  whyNotEditOwner,
  type MemberChanges,
} from '../../../domain/members/edit.js';
import type { Role } from '../../../domain/policies.js';
import type { MemberStatus } from '../../../domain/states.js';

const formatRefusal = (refusal: Refusal | null): string | null =>
  refusal && `${refusal.code} ${refusal.details.reason}`;

test('each role may change only its fields of a member', (t) => {
  const cases: [Role, of: 'self' | Role, MemberStatus, MemberChanges, string | null][] = [
    ['member', 'self', 'active', { name: 'Ada' }, null],
    ['member', 'self', 'active', { tier: 'pro' }, 'role_insufficient role'],
    ['member', 'member', 'active', { name: 'Ada' }, 'role_insufficient role'],
    ['admin', 'member', 'active', { email: 'ada@example.com', tier: 'pro' }, null],
    ['admin', 'admin', 'active', { email: 'ada@example.com' }, 'role_insufficient admin_address'],
    ['owner', 'admin', 'active', { email: 'ada@example.com' }, null],
    ['admin', 'owner', 'active', { name: 'Ada' }, null],
    ['owner', 'owner', 'active', { role: 'admin' }, 'owner_protected owner'],
    ['admin', 'member', 'archived', { name: 'Ada' }, 'member_not_editable archived'],
    ['admin', 'member', 'archived', { name: 'Ada', status: 'active' }, null],
  ];
  for (const [role, of, status, changes, expected] of cases) {
    const target = of === 'self' ? { id: 'me', role, status } : { id: 'other', role: of, status };
    const refusal = whyNotEdit({ member_id: 'me', role }, target, changes);
    t.is(formatRefusal(refusal), expected, JSON.stringify([role, of, status, changes]));
  }
  t.is(formatRefusal(whyNotEditOwner({ role: 'owner' })), 'owner_protected owner');
  t.is(whyNotEditOwner({ role: 'admin' }), null);
});

test('each status of a member allows only certain others, and only an invited member has an invite', (t) => {
  const possible = (from: MemberStatus) =>
    (['active', 'paused', 'cancelled'] as const).filter((wanted) => !whyNotStatus(from, wanted));
  t.deepEqual(possible('invited'), []);
  t.deepEqual(possible('trialing'), ['active', 'paused', 'cancelled']);
  t.deepEqual(possible('active'), ['active', 'paused', 'cancelled']);
  t.deepEqual(possible('paused'), ['active', 'paused', 'cancelled']);
  t.deepEqual(possible('cancelled'), ['active', 'cancelled']);
  t.deepEqual(possible('archived'), ['active']);
  t.is(formatRefusal(whyNotStatus('invited', 'active')), 'member_not_editable status');
  t.is(whyNotInvite({ status: 'invited' }), null);
  t.is(formatRefusal(whyNotInvite({ status: 'active' })), 'member_not_invited status');
});
