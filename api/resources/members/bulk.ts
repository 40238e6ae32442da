import { newId } from '../../../db/ids.js';
import { boundBefore, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { countInvite } from '../../../commands/mail/mail-limits.js';
import { archiveMember } from '../../../commands/members/archive-member.js';
import { createMember } from '../../../commands/members/create-member.js';
import { updateMember } from '../../../commands/members/update-member.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { bulkCost } from '../../../domain/api-keys/limits.js';
import { assertCan, authorize, can, hasScope, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import { readJson } from '../../http/body.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { internalError } from '../../http/errors.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { withFacts } from '../../http/route-facts.js';
import type { Typed } from '../../http/typed.js';
import { validate } from '../../http/validate.js';
import { MAX_OPERATIONS, OPERATION_SCHEMAS, type BulkBody, type Operation } from './shape.js';

/** The outcome of an operation. */
export interface Result {
  index: number;
  op: unknown;
  status: 'ok' | 'error';
  id: string | null;
  error?: ApiError;
}

/** Whether a caller's key has the scope of at least one kind of operation. */
const hasAnyScope = (principal: Principal): boolean =>
  (['members:invite', 'members:delete', 'members:write'] as const).some((scope) =>
    hasScope(principal, scope),
  );

/** Whether a caller has the rights for at least one kind of operation. */
const mayOperate = (principal: Principal): boolean =>
  can(principal.role, 'update_others') && hasAnyScope(principal);

/** Requires the rights for at least one kind of operation. Each operation is authorized separately. */
export const requiresAnyOperation: Handler = withFacts(
  { scope: 'members:write', capability: 'update_others' },
  async (ctx, next) => {
    const { principal } = ctx.state;
    if (!hasAnyScope(principal)) authorize(principal, 'members:write', 'update_others');
    assertCan(principal.role, 'update_others');
    await next();
  },
);

/**
 * The cost of a bulk request against its key's bucket: a tenth of its operations, at least 1. The body of a
 * caller without the rights is not read.
 */
export async function costOfBulk(ctx: ApiContext, principal: Principal): Promise<number> {
  if (!mayOperate(principal)) return 1;
  // A body that cannot be read is refused later, after the caller has been authenticated.
  const body = (await readJson(ctx).catch(() => null)) as { operations?: unknown } | null;
  const operations = body && Array.isArray(body.operations) ? body.operations.length : 0;
  return bulkCost(Math.min(operations, MAX_OPERATIONS));
}

function validated(operation: unknown): Operation {
  const { op } = (operation ?? {}) as { op?: unknown };
  if (typeof op !== 'string' || !Object.hasOwn(OPERATION_SCHEMAS, op))
    throw invalidField('op', 'must be create, update or archive');
  const schema: Typed<Operation> = OPERATION_SCHEMAS[op as Operation['op']];
  return validate(schema, operation, false);
}

/** The id that an invalid operation names, if any. */
function idIn(operation: unknown): string | null {
  const { id } = (operation ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

type Deps = Pick<ApiDependencies, 'db' | 'log' | 'mailQuotas' | 'quotas'>;

/** Executes one operation in its own transaction and returns the member's id. */
async function execute(
  { db, mailQuotas, quotas }: Deps,
  principal: Principal,
  operation: Operation,
  key: IdempotencyKey | null,
  run: typeof transaction,
): Promise<string> {
  /** Runs the work, unless an earlier request with the key has. Returns the member's id. */
  const once = (id: string, work: (tx: Tx) => Promise<unknown>): Promise<string> =>
    run(db, async (tx) => {
      const known = await boundBefore(tx, principal.workspace_id, key, id);
      if (known === null) await work(tx);
      return known ?? id;
    });
  switch (operation.op) {
    case 'create': {
      authorize(principal, 'members:invite', 'invite_members');
      const { op: _op, ...request } = operation;
      const id = newId('mem');
      return once(id, async (tx) => {
        await createMember(tx, quotas, principal, { ...request, id });
        await countInvite(tx, principal, mailQuotas, id);
      });
    }
    case 'update': {
      authorize(principal, 'members:write', 'update_own_profile');
      const { op: _op, id, ...changes } = operation;
      return once(id, async (tx) => {
        await updateMember(tx, principal, id, changes);
        await countInvite(tx, principal, mailQuotas, id);
      });
    }
    case 'archive': {
      authorize(principal, 'members:delete', 'archive_members');
      return once(operation.id, (tx) => archiveMember(tx, principal, operation.id));
    }
  }
}

/**
 * Executes operations in order and returns their results. With `rehearsal` for `run`, nothing is changed.
 * Errors: 409 `idempotency_conflict` if the key was used for another request; then nothing is done.
 */
export async function executeAll(
  deps: Deps,
  ctx: ApiContext,
  operations: unknown[],
  { idempotency, run = transaction }: { idempotency: IdempotencyKey | null; run?: typeof transaction },
): Promise<Result[]> {
  const { principal } = ctx.state;
  if (idempotency)
    await transaction(deps.db, (tx) => boundBefore(tx, principal.workspace_id, idempotency, 'bulk'));
  const results: Result[] = [];
  for (const [index, operation] of operations.entries()) {
    const op = (operation as { op?: unknown } | null)?.op ?? null;
    // Headers cannot contain a line break, so the keys of operations never equal those of other requests.
    const key = idempotency && { ...idempotency, key: `${idempotency.key}\n${index}` };
    try {
      const id = await execute(deps, principal, validated(operation), key, run);
      results.push({ index, op, status: 'ok', id });
    } catch (error) {
      results.push({ index, op, status: 'error', id: idIn(operation), error: knownError(deps, ctx, error) });
    }
  }
  return results;
}

function knownError({ log }: Deps, ctx: ApiContext, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  log.error({ err: error, requestId: ctx.state.requestId }, 'bulk operation failed');
  return internalError();
}

function presentResult({ error, ...result }: Result) {
  if (!error) return result;
  const { code, message, context } = error;
  const { param, details } = context;
  return { ...result, error: { code, message, param, details } };
}

/**
 * `POST /v1/members.bulk` (docs/rules/members.md#bulk-operations): executes the operations in order,
 * each in a transaction of its own. A failed operation is reported in its result and stops no other. A
 * repeat with the same `Idempotency-Key` repeats nothing that succeeded, and executes what failed.
 * Errors: 409 `idempotency_conflict`.
 */
export function bulk(deps: Deps): Handler<BulkBody> {
  return async (ctx) => {
    const { operations } = ctx.state.body;
    const results = await executeAll(deps, ctx, operations, { idempotency: idempotencyOf(ctx) });
    const ok = results.filter(({ status }) => status === 'ok').length;
    ctx.status = 200;
    ctx.body = { results: results.map(presentResult), summary: { ok, error: results.length - ok } };
  };
}
