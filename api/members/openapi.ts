import joi from 'joi';
import { EXAMPLE_IDS } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { member, expandable, bulkResult } from './responses.js';

export const memberOperations: Operations = {
  'GET /v1/members': {
    summary: 'List members',
    description:
      'The newest first, by `joined_at`; who is invited counts from the invitation. `q` finds parts of words in name and address.',
    answers: { 200: s.pageOf(expandable) },
    query: { tier: 'pro', expand: 'profile' },
  },
  'POST /v1/members': {
    summary: 'Create a member',
    description:
      'Invites by mail, unless `send_invite` is false; then the member is active at once, or on trial until `trial_ends_at`.',
    answers: { 200: member, 201: member },
    errors: ['company_not_found', 'not_found', 'member_exists'],
    idempotent: true,
    body: { email: 'ada@example.com', name: 'Ada Lovelace', tier: 'plus' },
  },
  'POST /v1/members.bulk': {
    summary: 'Change many members',
    description:
      'Up to 1,000 operations, in their order, each by itself: one that fails stops no other. `op` is `create` (fields as when creating a member), `update` (`id` and what changes) or `archive` (`id`). Needs the scope of any one of them; each is checked again. Costs a tenth of its operations.',
    answers: {
      200: s.shape({
        results: joi.array().items(bulkResult),
        summary: s.shape({ ok: s.count, error: s.count }),
      }),
    },
    idempotent: true,
    body: {
      operations: [
        { op: 'create', email: 'alan@example.com', tier: 'basic' },
        { op: 'update', id: EXAMPLE_IDS.member, tier: 'pro' },
        { op: 'archive', id: EXAMPLE_IDS.member },
      ],
    },
  },
  'GET /v1/members/:id': {
    summary: 'Get a member',
    answers: { 200: expandable },
    query: { expand: 'profile' },
  },
  'PATCH /v1/members/:id': {
    summary: 'Change a member',
    description:
      'Everyone may change their own name and address. A higher tier counts at once and is prorated; a lower one waits for the next cycle (`pending_tier`). A name belongs to the person, in all workspaces.',
    answers: { 200: member },
    errors: ['company_not_found', 'owner_protected', 'member_exists', 'member_not_editable'],
    body: { tier: 'pro', tier_change_reason: 'Needs the studio' },
  },
  'DELETE /v1/members/:id': {
    summary: 'Erase a member',
    description: 'For good: name and address go from the database, stored events and the audit log.',
    answers: { 204: null },
    errors: ['owner_protected'],
  },
  'POST /v1/members/:id/archive': {
    summary: 'Archive a member',
    description: 'Ends their keys. Their bookings stand.',
    answers: { 200: member },
    errors: ['owner_protected'],
    body: {},
  },
  'POST /v1/members/:id/resend-invite': {
    summary: 'Resend an invite',
    description: 'With a new link; older ones stop working.',
    answers: { 200: member },
    errors: ['member_not_invited'],
    body: {},
  },
};
