import joi from 'joi';
import {
  archiveMember as archive,
  changeMember as change,
  createMember as create,
  eraseMember as erase,
  memberFor,
  memberIdFor,
  resendInvite as resend,
} from '../../../commands/members/administer.js';
import { changeMembers, type BulkOperation, type BulkResult } from '../../../commands/members/bulk.js';
import { removeCard } from '../../../commands/payments/cards.js';
import { isId } from '../../../db/ids.js';
import { listMembers as find, type MemberRow } from '../../../db/queries/members/member.js';
import { bulkCost } from '../../../domain/api-keys/limits.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ERROR_STATUS, invalidField, refuse } from '../../../domain/errors.js';
import { NO_PAYER_FACTS } from '../../../domain/invoices/payer-presenter.js';
import {
  presentMember,
  presentMemberWithProfile,
  type PresentedMember,
} from '../../../domain/members/presenter.js';
import {
  assertCan,
  authorize,
  can,
  hasScope,
  ROLES,
  whyNotManageCard,
  type Principal,
} from '../../../domain/policies.js';
import { TIERS } from '../../../domain/rates/price.js';
import { MEMBER_STATUSES, type MemberStatus } from '../../../domain/states.js';
import { LANGUAGES } from '../../../domain/words/languages.js';
import type { ApiDependencies } from '../../dependencies.js';
import { MAX_BULK, MAX_IN_PROGRESS } from '../../http/concurrency.js';
import { decodeCursor, page, pageFields } from '../../http/cursor.js';
import { asApiError, internalError } from '../../http/errors.js';
import { email, emptyBody, memberId, searchText, text, timestamp, uuid } from '../../http/fields.js';
import { created, nothing, operation } from '../../http/operation.js';
import {
  array,
  boolean,
  nullable,
  object,
  oneOf,
  oneOfFixed,
  optional,
  typed,
  withDefault,
  type Typed,
} from '../../http/typed.js';
import { validate } from '../../http/validate.js';
import { openCardSetup } from '../payments/open-card-setup.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { metadata, metadataFilter } from '../shared/metadata.js';
import { name } from '../shared/name.js';
import { card, cardSetup, EXAMPLE_CARD_SETUP, payer } from '../shared/payer-fields.js';
import type { EventDescription, EventTypesFor, Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

export const MAX_OPERATIONS = 1_000;
const MAX_TRIAL_DAYS = 730;

export const isMemberId = (value: string): boolean => isId('mem', value);
const MEMBERS = { name: 'members', isId: isMemberId };

const trialEnd = timestamp.custom((value: Date, helpers) => {
  const ahead = value.getTime() - Date.now();
  if (ahead > 0 && ahead <= MAX_TRIAL_DAYS * DAY_MS) return value;
  return helpers.message({
    custom: `{{#label}} must be in the future, at most ${MAX_TRIAL_DAYS} days from now`,
  });
});

const { sent, read } = splitSides({
  email: field(email, 'The email address, unique in the workspace.'),
  name: field(name, 'The name of the member.'),
  tier: field(oneOf(TIERS), 'The membership tier.'),
  billed: field(
    boolean,
    'Whether the plan is invoiced to the member or their company. The rights, hours and discounts of ' +
      'the tier apply either way. A change of role does not change this field.',
  ),
  locale: field(
    nullable(oneOf(LANGUAGES)),
    'The language of the pages, emails and documents that the member receives as a payer. Null for ' +
      'the language of the workspace.',
  ),
  trial_ends_at: field(nullable(trialEnd), 'The time at which the trial ends.', {
    sent: 'The time at which the trial ends, at most 730 days from now.',
  }),
  metadata,
});
const company_id = nullable(uuid).description('The company that the member belongs to, or null for none.');

/** A role that can be given; `owner` is transferred. */
const role = oneOf(['member', 'front_desk', 'billing_contact', 'admin']);

const createFields = {
  email: sent.email,
  name: sent.name,
  tier: withDefault(sent.tier, 'basic'),
  billed: sent.billed.description(
    'Whether the plan is invoiced to the member or their company. Defaults to true for the role ' +
      '`member`, and to false for all other roles.',
  ),
  locale: withDefault(sent.locale, null),
  role: withDefault(role.description('The role, which decides what the member can do.'), 'member'),
  company_id: withDefault(company_id, null),
  send_invite: withDefault(
    boolean.description('Whether to email an invite. Without one, the member is active immediately.'),
    true,
  ),
  trial_ends_at: withDefault(sent.trial_ends_at, null),
  metadata: sent.metadata,
};

const updateFields = {
  name: sent.name,
  email: sent.email,
  locale: sent.locale,
  company_id,
  billed: sent.billed,
  tier: sent.tier,
  tier_change_reason: text(256)
    .allow('')
    .description('The reason for the change of tier, recorded in the audit log.'),
  role: role.description('The new role.'),
  status: oneOf(['active', 'paused', 'cancelled']).description('The new status.'),
  metadata: sent.metadata,
  ...payer.sent,
};

const expand = oneOf(['profile']);

/** One operation of a bulk request, by its `op`. */
const OPERATIONS = {
  create: object({ op: oneOf(['create']), ...createFields }, 'op', 'email'),
  update: object({ op: oneOf(['update']), id: memberId, ...updateFields }, 'op', 'id')
    .with('tier_change_reason', 'tier')
    .min(3),
  archive: object({ op: oneOf(['archive']), id: memberId }, 'op', 'id'),
};
export const member = s.presentedBy(
  presentMember,
  s.shape('Member', {
    id: s.prefixedId('mem'),
    ...read,
    // A deleted member is never returned.
    status: typed<MemberStatus>(oneOf(MEMBER_STATUSES)).description('The status of the membership.'),
    role: oneOf(ROLES).description('The role, which decides what the member can do.'),
    company: s
      .orNull(
        s.shape('CompanyReference', {
          id: s.anyUuid.description('The id of the company.'),
          name: s.anyText.description('The name of the company.'),
        }),
      )
      .description('The company that the member belongs to.'),
    joined_at: s.nullableInstant.description(
      'The time at which the member joined. Null until the invite is accepted.',
    ),
    tokens: s
      .shape('HourCredits', {
        balance: s.count.description('The hour credits that are left.'),
        monthly_grant: s.count.description(
          'The hour credits that the tier grants each month. If the plan changes, the new number ' +
            'applies from the member’s next month.',
        ),
      })
      .description('The hour credits of the member.'),
    pending_tier: s
      .orNull(oneOf(TIERS))
      .description('The tier after a downgrade that has not taken effect yet.'),
    pending_tier_at: s.nullableInstant.description('The time at which `pending_tier` takes effect.'),
    ...payer.read,
    card,
    archived_at: s.nullableInstant.description('The time at which the member was archived.'),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

export const EXAMPLE_MEMBER_ID = 'mem_01kba6xz3fe4r9tq5v8mhc2s1e';

export const invited: PresentedMember = {
  id: EXAMPLE_MEMBER_ID,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  tier: 'plus',
  status: 'invited',
  role: 'member',
  billed: true,
  locale: null,
  company: null,
  joined_at: null,
  tokens: { balance: 0, monthly_grant: 10 },
  trial_ends_at: null,
  pending_tier: null,
  pending_tier_at: null,
  payment_terms: null,
  credit_limit_minor: null,
  monthly_statement: false,
  autopay: false,
  card: null,
  metadata: {},
  archived_at: null,
  created_at: exampleInstant(0, 12),
  updated_at: exampleInstant(0, 12),
};

/** A member in events. Those of an erased member contain no personal data. */
const memberInEvents = s.extend('MemberInEvents', member, {
  name: s.nullableText.description('The name of the member. Null after an erasure.'),
  email: s.nullableText.description('The email address. Null after an erasure.'),
});

const erasedMember = s.shape('DeletedMember', {
  id: s.prefixedId('mem'),
  deleted: typed<true>(joi.valid(true)).description('Always true.'),
});

const profile = s
  .shape('Profile', {
    id: s.prefixedId('prof'),
    email: s.anyText.description('The email address.'),
    name: s.anyText.description('The name.'),
    created_at: s.instant,
  })
  .description(
    'The profile of the person. Its `id` is the same in all of their workspaces; the other fields ' +
      'are those of the member.',
  );
/** A member, with the person's profile if the request has `expand=profile`. */
export const expandable = s.extend('MemberWithProfile', member, { profile: optional(profile) });

/** The result of one operation of a bulk request. */
const bulkResult = s.shape({
  index: s.count.description('The index of the operation, from 0.'),
  op: typed<unknown>(joi.any()).description('The `op` of the operation.'),
  status: oneOfFixed(['ok', 'error']).description('Whether the operation was executed.'),
  id: s.nullableText.description('The id of the member. Null if the operation failed before there was one.'),
  error: optional(
    s
      .shape({
        code: oneOf(Object.keys(ERROR_STATUS)).description('The error code.'),
        message: s.anyText.description('What went wrong, for people.'),
        param: optional(s.anyText.description('The invalid field of the operation.')),
        details: optional(s.anyObject.description('Details of the error.')),
      })
      .description('Why the operation failed.'),
  ),
});

/** The results of a bulk request in the order of its operations. */
export const bulkResults = s.shape({
  results: array(bulkResult).description('The results in the order of the operations.'),
  summary: s
    .shape({
      ok: s.count.description('The number of operations that were executed.'),
      error: s.count.description('The number of operations that failed.'),
    })
    .description('The number of results of each status.'),
});

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

const events: Record<EventTypesFor<'member'>, EventDescription> = {
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

/** Only roles that can read payers see the payment terms and cards of others. */
function presenterFor({ expand }: { expand?: 'profile' }, { role, member_id }: Principal) {
  const present = expand ? presentMemberWithProfile : presentMember;
  return (member: MemberRow) =>
    present(member.id === member_id || can(role, 'read_payers') ? member : { ...member, ...NO_PAYER_FACTS });
}

export const listMembers = operation({
  route: 'GET /v1/members',
  summary: 'List members',
  description:
    'Returns members by `joined_at`, newest first; invited members are sorted by the time of their ' +
    'invite. `q` matches parts of words in names and email addresses. For callers with the role ' +
    '`front_desk`, the payment terms and cards of other members are null or false.',
  scope: 'members:read',
  capability: 'read_others',
  query: object({
    tier: oneOf(TIERS).description('Returns only members with this tier.'),
    status: oneOf(MEMBER_STATUSES).description('Returns only members with this status.'),
    company_id: uuid.description('Returns only members of this company.'),
    metadata: metadataFilter('members'),
    q: searchText.description(
      'Up to ten words to search for in names and email addresses. Case and accents are ignored.',
    ),
    include_archived: withDefault(boolean.description('Whether to include archived members.'), false),
    expand: expand.description('Set to `profile` to include each member’s profile.'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(expandable) },
  examples: { query: { tier: 'pro', expand: 'profile' }, response: examplePage(withProfile) },
  async run({ query: { cursor, limit, expand, ...filter } }, caller, { db }) {
    const after = decodeCursor(cursor, MEMBERS);
    const rows = await find(db.manager, {
      ...filter,
      workspace_id: caller.workspace_id,
      after: after && { joined_at: after.key, id: after.id },
      limit: limit + 1,
    });
    return page(
      MEMBERS,
      rows,
      limit,
      (member) => member.joined_at ?? member.created_at,
      presenterFor({ expand }, caller),
    );
  },
});

export const createMember = operation({
  route: 'POST /v1/members',
  summary: 'Create a member',
  description:
    'Creates a member and emails an invite, unless `send_invite` is false. Without an invite, the member ' +
    'is `active` immediately, or `trialing` until `trial_ends_at`.',
  scope: 'members:invite',
  capability: 'invite_members',
  body: object(createFields, 'email').required(),
  idempotent: true,
  responses: { 200: member, 201: member },
  errors: ['company_not_found', 'not_found', 'member_exists', 'limit_reached'],
  examples: {
    body: { email: invited.email, name: invited.name, tier: invited.tier },
    response: invited,
  },
  run: ({ body, idempotency }, caller, deps) => create(deps, caller, body, idempotency),
  reply: created,
});

const BULK_SCOPES = ['members:invite', 'members:delete', 'members:write'] as const;

/** An operation of a bulk request as it was sent. Errors: 422. */
function validated(operation: unknown): BulkOperation {
  const { op } = (operation ?? {}) as { op?: unknown };
  if (typeof op !== 'string' || !Object.hasOwn(OPERATIONS, op))
    throw invalidField('op', 'must be create, update or archive');
  const schema: Typed<BulkOperation> = OPERATIONS[op as BulkOperation['op']];
  return validate(schema, operation, false);
}

/**
 * How the operations of a bulk request are validated, and what their errors become: the same as for a single
 * request. Unexpected errors are logged.
 */
export const bulkReading = ({ log }: Pick<ApiDependencies, 'log'>) => ({
  read: validated,
  toApiError(error: unknown) {
    const known = asApiError(error);
    if (!known) log.error({ err: error }, 'bulk operation failed');
    return known ?? internalError();
  },
});

function presentResult({ error, ...result }: BulkResult) {
  if (!error) return result;
  const { code, message, context } = error;
  const { param, details } = context;
  return { ...result, error: { code, message, param, details } };
}

/** Many changes in one request (docs/rules/members.md#bulk-operations). */
const bulkChangeMembers = operation({
  route: 'POST /v1/members.bulk',
  summary: 'Update many members',
  id: 'updateMembers',
  description:
    'Executes up to 1,000 operations in order. A failed operation does not affect the others. `op` is ' +
    '`create` (with the fields of a new member), `update` (with `id` and the fields to change) or ' +
    '`archive` (with `id`). Each operation is authorized separately; the request requires the rights for ' +
    'at least one kind of operation. Every 10 operations count as one request against the rate limit. ' +
    'With an `Idempotency-Key`, a repeat executes only the operations that failed.',
  scope: 'members:write',
  capability: 'update_others',
  authorize(caller) {
    if (!BULK_SCOPES.some((scope) => hasScope(caller, scope)))
      authorize(caller, 'members:write', 'update_others');
    assertCan(caller.role, 'update_others');
  },
  cost(sent) {
    const { operations } = (sent ?? {}) as { operations?: unknown };
    return bulkCost(Math.min(Array.isArray(operations) ? operations.length : 0, MAX_OPERATIONS));
  },
  body: object(
    {
      operations: array(typed<unknown>(joi.any()))
        .max(MAX_OPERATIONS)
        .description('The operations, executed in order.'),
    },
    'operations',
  ).required(),
  idempotent: true,
  concurrent: MAX_BULK,
  responses: { 200: bulkResults },
  examples: {
    body: {
      operations: [
        { op: 'create', email: 'alan@example.com', tier: 'basic' },
        { op: 'update', id: EXAMPLE_MEMBER_ID, tier: 'pro' },
        { op: 'archive', id: EXAMPLE_MEMBER_ID },
      ],
    },
    response: {
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
    },
  },
  async run({ body, idempotency }, caller, deps) {
    const results = await changeMembers(deps, caller, body.operations, bulkReading(deps), { idempotency });
    const ok = results.filter(({ status }) => status === 'ok').length;
    return { results: results.map(presentResult), summary: { ok, error: results.length - ok } };
  },
});

/** What a repeat of a change of a member returns. */
const showMember = async (
  { params: { id } }: { params: { id: string } },
  caller: Principal,
  { db }: Pick<ApiDependencies, 'db'>,
) => presentMember(await memberFor(db.manager, caller, id));

const getMember = operation({
  route: 'GET /v1/members/:id',
  summary: 'Get a member',
  description:
    'For callers with the role `front_desk`, the payment terms and card of another member are null ' +
    'or false.',
  scope: 'members:read',
  capability: 'read_own_profile',
  query: object({
    expand: expand.description('Set to `profile` to include the profile of the member.'),
  }),
  responses: { 200: expandable },
  examples: { query: { expand: 'profile' }, response: withProfile },
  run: async ({ params, query }, caller, { db }) =>
    presenterFor(query, caller)(await memberFor(db.manager, caller, params.id)),
});

export const changeMember = operation({
  route: 'PATCH /v1/members/:id',
  summary: 'Update a member',
  description:
    'All members can change their own name, and all except owners and admins can change their own ' +
    'email address. A new `email` revokes the API keys and OAuth grants of the member. The email ' +
    'address of the owner cannot be changed (`owner_protected`), and the address of an admin can be ' +
    'changed only by the owner. Owners and admins can change their own email address on their ' +
    'account page. An upgrade takes effect immediately and is prorated. A downgrade takes effect at ' +
    'the start of the next billing cycle (`pending_tier_at`).',
  scope: 'members:write',
  capability: 'update_own_profile',
  // A reason without a tier would change nothing, so it is rejected.
  body: object(updateFields).with('tier_change_reason', 'tier').min(1).required(),
  idempotent: showMember,
  responses: { 200: member },
  errors: ['company_not_found', 'owner_protected', 'member_exists', 'member_not_editable'],
  examples: {
    body: { tier: 'pro', tier_change_reason: 'Needs the studio' },
    response: { ...active, tier: 'pro' },
  },
  run: ({ params, body }, caller, deps) => change(deps, caller, params.id, body),
});

export const eraseMember = operation({
  route: 'DELETE /v1/members/:id',
  summary: 'Erase a member',
  description:
    'Permanently removes the personal data of the member, including from stored events and the audit ' +
    'log. This cannot be undone.',
  scope: 'members:delete',
  capability: 'hard_delete',
  idempotent: nothing,
  responses: { 204: null },
  errors: ['owner_protected'],
  run: ({ params }, caller, { db }) => erase(db, caller, params.id),
});

export const archiveMember = operation({
  route: 'POST /v1/members/:id/archive',
  summary: 'Archive a member',
  description: 'Archives the member and revokes their API keys. Their bookings are kept.',
  scope: 'members:delete',
  capability: 'archive_members',
  body: emptyBody,
  idempotent: showMember,
  responses: { 200: member },
  errors: ['owner_protected'],
  examples: {
    body: {},
    response: { ...active, status: 'archived', archived_at: exampleInstant(90, 9) },
  },
  run: ({ params }, caller, deps) => archive(deps, caller, params.id),
});

export const createMemberCardSetup = operation({
  route: 'POST /v1/members/:id/card-setup',
  summary: 'Set up a member’s card',
  id: 'createMemberCardSetup',
  description:
    'Returns the URL of a hosted page where the payer saves a card, which replaces an earlier one. If ' +
    'such a page is already open, its URL is returned. Members can do this for themselves.',
  scope: 'billing:write',
  capability: 'pay_own_invoices',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: true,
  responses: { 200: cardSetup },
  errors: ['processor_unconfigured', 'processor_error'],
  examples: { body: {}, response: EXAMPLE_CARD_SETUP },
  async run({ params, idempotency }, caller, deps) {
    refuse(whyNotManageCard(caller, memberIdFor(caller, params.id)));
    const { id, workspace_id } = await memberFor(deps.db.manager, caller, params.id);
    return openCardSetup(deps, workspace_id, { company_id: null, member_id: id }, idempotency);
  },
});

/** Allowed for one's own card, or with the right to write billing (docs/rules/billing.md#cards-on-file). */
export const deleteMemberCard = operation({
  route: 'DELETE /v1/members/:id/card',
  summary: 'Remove a member’s card',
  id: 'deleteMemberCard',
  description: 'Removes the card on file and turns off `autopay`. Members can do this for themselves.',
  scope: 'billing:write',
  capability: 'pay_own_invoices',
  idempotent: nothing,
  responses: { 204: null },
  async run({ params }, caller, { db }) {
    refuse(whyNotManageCard(caller, memberIdFor(caller, params.id)));
    const { id } = await memberFor(db.manager, caller, params.id);
    await removeCard(db, caller, { company_id: null, member_id: id });
  },
});

export const resendInvite = operation({
  route: 'POST /v1/members/:id/resend-invite',
  summary: 'Resend an invite',
  id: 'resendMemberInvite',
  description: 'Emails a new invite link. Earlier links stop working.',
  scope: 'members:invite',
  capability: 'invite_members',
  body: emptyBody,
  idempotent: showMember,
  responses: { 200: member },
  errors: ['member_not_invited'],
  examples: { body: {}, response: invited },
  run: ({ params }, caller, deps) => resend(deps, caller, params.id),
});

/** Members (docs/rules/members.md). */
export const members: Resource<EventTypesFor<'member'>> = {
  tag: 'Members',
  operations: [
    listMembers,
    createMember,
    bulkChangeMembers,
    getMember,
    changeMember,
    eraseMember,
    archiveMember,
    createMemberCardSetup,
    deleteMemberCard,
    resendInvite,
  ],
  ids: { members: { name: 'member', example: EXAMPLE_MEMBER_ID, notFound: 'member_not_found' } },
  events,
};
