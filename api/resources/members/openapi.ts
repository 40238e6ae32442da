import type { PresentedMember } from '../../../domain/members/presenter.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import type { EventDescription, EventsOf } from '../shared/resource.js';
import { cardSetup, EXAMPLE_CARD_SETUP } from '../shared/payer-fields.js';
import * as s from '../shared/shapes.js';
import {
  bulkResults,
  erasedMember,
  EXAMPLE_MEMBER_ID,
  expandable,
  invited,
  member,
  memberInEvents,
} from './shape.js';

export const operations: Operations = {
  'GET /v1/members': {
    summary: 'List members',
    description:
      'Returns members by `joined_at`, newest first; invited members are sorted by the time of their ' +
      'invite. `q` matches parts of words in names and email addresses. For callers with the role ' +
      '`front_desk`, terms of payment and card of other members are null or false.',
    example: () => examplePage(withProfile),
    responses: { 200: s.pageOf(expandable) },
    query: { tier: 'pro', expand: 'profile' },
  },
  'POST /v1/members': {
    summary: 'Create a member',
    description:
      'Creates a member and emails an invite, unless `send_invite` is false. Without an invite, the member ' +
      'is `active` immediately, or `trialing` until `trial_ends_at`.',
    example: () => invited,
    responses: { 200: member, 201: member },
    errors: ['company_not_found', 'not_found', 'member_exists', 'limit_reached'],
    idempotent: true,
    body: { email: 'ada@example.com', name: 'Ada Lovelace', tier: 'plus' },
  },
  'POST /v1/members.bulk': {
    summary: 'Change many members',
    id: 'bulkChangeMembers',
    description:
      'Executes up to 1,000 operations in order. A failed operation does not affect the others. `op` is ' +
      '`create` (with the fields of a new member), `update` (with `id` and the fields to change) or ' +
      '`archive` (with `id`). Each operation is authorized separately; the request requires the rights for ' +
      'at least one kind of operation. Every 10 operations count as one request against the rate limit. ' +
      'With an `Idempotency-Key`, a repeat executes only the operations that failed.',
    example: () => ({
      results: [
        { index: 0, op: 'create', status: 'ok', id: 'mem_01kba6xz3fe4r9tq5v8mhc2s1w' },
        { index: 1, op: 'update', status: 'ok', id: EXAMPLE_MEMBER_ID },
        {
          index: 2,
          op: 'archive',
          status: 'error',
          id: EXAMPLE_MEMBER_ID,
          error: { code: 'owner_protected', message: 'The owner cannot be archived.' },
        },
      ],
      summary: { ok: 2, error: 1 },
    }),
    responses: { 200: bulkResults },
    idempotent: true,
    body: {
      operations: [
        { op: 'create', email: 'alan@example.com', tier: 'basic' },
        { op: 'update', id: EXAMPLE_MEMBER_ID, tier: 'pro' },
        { op: 'archive', id: EXAMPLE_MEMBER_ID },
      ],
    },
  },
  'GET /v1/members/:id': {
    summary: 'Get a member',
    description:
      'For callers with the role `front_desk`, terms of payment and card of another ' +
      'member are null or false.',
    example: () => withProfile,
    responses: { 200: expandable },
    query: { expand: 'profile' },
  },
  'PATCH /v1/members/:id': {
    summary: 'Change a member',
    description:
      'All members can change their own name, and all but owners and admins their own email address. A new ' +
      '`email` ends the API keys and OAuth grants of the member. The address of the owner cannot be ' +
      'changed (`owner_protected`), and that of an admin only by the owner; both can change their own on ' +
      'their account page. An upgrade takes effect immediately and is prorated. A downgrade takes effect ' +
      'at the start of the next billing cycle (`pending_tier_at`).',
    example: () => ({ ...active, tier: 'pro' }),
    responses: { 200: member },
    errors: ['company_not_found', 'owner_protected', 'member_exists', 'member_not_editable'],
    body: { tier: 'pro', tier_change_reason: 'Needs the studio' },
  },
  'DELETE /v1/members/:id': {
    summary: 'Erase a member',
    description:
      'Permanently removes the personal data of the member, including from stored events and the audit ' +
      'log. This cannot be undone.',
    responses: { 204: null },
    errors: ['owner_protected'],
  },
  'POST /v1/members/:id/archive': {
    summary: 'Archive a member',
    description: 'Archives the member and revokes their API keys. Their bookings are kept.',
    example: () => ({ ...active, status: 'archived', archived_at: exampleInstant(90, 9) }),
    responses: { 200: member },
    errors: ['owner_protected'],
    body: {},
  },
  'POST /v1/members/:id/card-setup': {
    summary: 'Set up a member’s card',
    id: 'createMemberCardSetup',
    description:
      'Returns the URL of a hosted page where the payer saves a card, which replaces an earlier one. If ' +
      'such a page is already open, its URL is returned. Members can do this for themselves.',
    example: () => EXAMPLE_CARD_SETUP,
    responses: { 200: cardSetup },
    errors: ['processor_unconfigured', 'processor_error'],
    body: {},
  },
  'DELETE /v1/members/:id/card': {
    summary: 'Remove a member’s card',
    id: 'deleteMemberCard',
    description:
      'The card is not charged again, and `autopay` is turned off. Members can do this for themselves.',
    responses: { 204: null },
  },
  'POST /v1/members/:id/resend-invite': {
    summary: 'Resend an invite',
    description: 'Emails a new invite link. Earlier links stop working.',
    example: () => invited,
    responses: { 200: member },
    errors: ['member_not_invited'],
    body: {},
  },
};

const active: PresentedMember = {
  ...invited,
  status: 'active',
  joined_at: exampleInstant(1, 9),
  tokens: { balance: 10, monthly_grant: 10 },
  updated_at: exampleInstant(1, 9),
};

/** As with `expand=profile`, which the requests of the examples have. */
const withProfile = {
  ...active,
  profile: {
    id: 'prof_01kba6xz3fe4r9tq5v8mhc2s1z',
    email: active.email,
    name: active.name,
    created_at: exampleInstant(0, 12),
  },
};

const example = (object: PresentedMember, previous?: Partial<PresentedMember>): EventDescription => ({
  schema: memberInEvents,
  object,
  previous,
});

export const events: Record<EventsOf<'member'>, EventDescription> = {
  'member.created': example({ ...active, joined_at: exampleInstant(0, 12) }),
  'member.invited': example(invited),
  'member.activated': example(active),
  'member.updated': example({ ...active, name: 'Ada King' }, { name: 'Ada Lovelace' }),
  'member.tier_changed': example(
    { ...active, tier: 'pro', tokens: { balance: 10, monthly_grant: 25 } },
    { tier: 'plus' },
  ),
  'member.role_changed': example({ ...active, role: 'admin' }, { role: 'member' }),
  'member.archived': example({ ...active, status: 'archived', archived_at: exampleInstant(90, 9) }),
  'member.deleted': { schema: erasedMember, object: { id: EXAMPLE_MEMBER_ID, deleted: true } },
};
