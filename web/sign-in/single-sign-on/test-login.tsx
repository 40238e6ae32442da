import type { ComponentChildren } from 'preact';
import { acceptCandidate, auditTest } from '../../../commands/single-sign-on/settings.js';
import { addressKey, isCanonical } from '../../../db/address.js';
import type { SsoCandidate, SsoLogin } from '../../../db/entities/single-sign-on.js';
import {
  findMemberOfAddress,
  findSsoCandidate,
  findSsoConnection,
} from '../../../db/queries/single-sign-on/single-sign-on.js';
import type { Tx } from '../../../db/transaction.js';
import { formatZonedMoment } from '../../../domain/display.js';
import { can } from '../../../domain/policies.js';
import { provisions } from '../../../domain/single-sign-on/providers.js';
import type { Membership } from '../../../db/queries/members/membership.js';
import type { ApiContext } from '../../../api/http/context.js';
import { PageError } from '../../ui/browser.js';
import { showPage } from '../../ui/layout.js';
import { SsoRefusal, type Identity } from './identity.js';
import { beginLogin, type LoginSettings, type SsoDeps } from './login.js';
import { membershipIn } from './membership.js';
import { ADVICE, warningsAbout, type MatchedMember } from './test-advice.js';

/** Only the owner whose session started the test sees the result. Errors: 403. */
async function requireTestOwner(
  ctx: ApiContext,
  { db }: SsoDeps,
  login: Pick<SsoLogin, 'workspace_id' | 'session_hash'>,
) {
  const { session } = ctx.state;
  const isTheirs = session?.stage === 'complete' && login.session_hash?.equals(session.id_hash);
  const membership = isTheirs ? await membershipIn(ctx, db, login.workspace_id) : null;
  if (!membership || session!.provider || !can(membership.role, 'configure_sso'))
    throw new PageError(
      403,
      'This test belongs to another session',
      'Its result is shown only in the session that started it. Run the test again from the settings page.',
    );
  return membership;
}

/**
 * The settings that a login tests (docs/rules/single-sign-on.md#settings). Errors: 409 if they were edited or
 * discarded while the test ran, which then saves nothing.
 */
export async function testedSettings({ db }: SsoDeps, login: SsoLogin): Promise<LoginSettings> {
  const settings = await findSsoCandidate(db.manager, login.workspace_id, login.candidate_id!);
  if (!settings) throw edited();
  return settings;
}

const edited = (): PageError =>
  new PageError(
    409,
    'The settings have changed',
    'The settings were edited during the test, so nothing was saved. Run the test again from the ' +
      'settings page.',
  );

/** Starts a test of settings in the owner's session. Shows the problem if the provider does not respond. */
export async function startTest(ctx: ApiContext, deps: SsoDeps, candidate: SsoCandidate): Promise<void> {
  const { workspace_id, id, name, provider } = candidate;
  const login = { workspace_id, candidate_id: id, session_hash: ctx.state.session!.id_hash };
  try {
    await beginLogin(ctx, deps, { ...login, name, provider, purpose: 'test', return_to: '' });
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    await finishTest(ctx, deps, login, error);
  }
}

/**
 * Shows the response of a test and its problems in the session that started it. Without problems, the tested
 * settings are put into use.
 */
export async function finishTest(
  ctx: ApiContext,
  deps: SsoDeps,
  login: Pick<SsoLogin, 'workspace_id' | 'candidate_id' | 'session_hash'>,
  result: Identity | SsoRefusal,
): Promise<void> {
  const membership = await requireTestOwner(ctx, deps, login);
  const { workspace_id, member_id } = membership;
  const by = { workspace_id, member_id, key_id: null };
  if (result instanceof SsoRefusal) {
    const { reason } = result;
    await auditTest(deps.db.manager, by, { passed: false, reason });
    return showFailure(ctx, membership, result);
  }
  const { provider } = await testedSettings(deps, login as SsoLogin);
  const matched = await findMatch(deps.db.manager, workspace_id, result);
  if (!(await acceptCandidate(deps.db, by, login.candidate_id!))) throw edited();
  showSuccess(ctx, membership, result, matched, warningsAbout(result, matched, provider));
}

/** The member with the address in a test. */
async function findMatch(tx: Tx, workspaceId: string, { email }: Identity): Promise<MatchedMember> {
  if (email === null || !isCanonical(email)) return { member: null, provisioned: false };
  const connection = await findSsoConnection(tx, workspaceId);
  return {
    member: await findMemberOfAddress(tx, workspaceId, email),
    provisioned: provisions(connection?.provision ?? null, addressKey(email)),
  };
}

const Back = ({ to: { workspace_id } }: { to: Membership }) => (
  <a class="button" href={`/dashboard/${workspace_id}/sign-in`}>
    Back to settings
  </a>
);

function showFailure(ctx: ApiContext, membership: Membership, { reason, detail }: SsoRefusal): void {
  const { problem, fix } = ADVICE[reason];
  showPage(ctx, 422, {
    title: 'Test failed',
    mark: 'bad',
    children: (
      <>
        <p role="alert">{problem}</p>
        <p>{fix}</p>
        {detail && (
          <>
            <h2>Response</h2>
            <p>{detail}</p>
          </>
        )}
        <p>Nothing has changed. Until a test passes, people sign in as before.</p>
        <Back to={membership} />
      </>
    ),
  });
}

function showSuccess(
  ctx: ApiContext,
  membership: Membership,
  identity: Identity,
  { member }: MatchedMember,
  warnings: string[],
): void {
  const { subject, email, name, authenticated_at, ends_at, claims } = identity;
  const moment = (at: Date): string => formatZonedMoment(at, membership.time_zone, new Date());
  const facts: [string, ComponentChildren][] = [
    ['Subject', subject],
    ['Email', email ?? 'none'],
    ['Name', name ?? 'none'],
    ['Member', member ? `${member.name} (${member.status})` : 'none'],
    ['Signed in at provider', authenticated_at ? moment(authenticated_at) : 'not reported'],
    ...(ends_at ? [['Session ends', moment(ends_at)] as [string, string]] : []),
  ];
  showPage(ctx, 200, {
    title: 'Test passed',
    mark: 'good',
    children: (
      <>
        <p>These settings are now in use. See the settings page for who can sign in with them.</p>
        {warnings.map((warning) => (
          <p key={warning} class="alert" role="alert">
            {warning}
          </p>
        ))}
        <Arrived of={facts} />
        <details>
          <summary>Full response</summary>
          <Arrived of={Object.entries(claims)} />
        </details>
        <Back to={membership} />
      </>
    ),
  });
}

const Arrived = ({ of }: { of: [string, ComponentChildren][] }) => (
  <dl>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
