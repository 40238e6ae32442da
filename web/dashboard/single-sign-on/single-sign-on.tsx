import joi from 'joi';
import { findSignInName } from '../../../commands/single-sign-on/sign-in-names.js';
import { findSsoCandidate, findSsoConnection } from '../../../db/queries/single-sign-on/single-sign-on.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { SsoCandidate, SsoConnection } from '../../../db/entities/single-sign-on.js';
import type { Plans } from '../../../domain/members/plans.js';
import { TIERS } from '../../../domain/rates/price.js';
import { NAME_KEPT_DAYS, type RequiredOf } from '../../../domain/single-sign-on/providers.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { CopyLink } from '../../ui/copy.js';
import { pathIn } from '../shared/paths.js';
import { Choice, Choices, Select, TextArea, TextField } from '../shared/fields.js';
import { Confirm, Form } from '../shared/form.js';
import { NoticeAt } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';
import { planOptions } from '../members/tier-options.js';
import { KINDS, kindOf, type Kind } from './kinds.js';
import { ProviderFacts } from './provider-facts.js';
import { OurValues, ProviderForm, SelectKind } from './provider-form.js';
import { AT } from './forms.js';

const CSS = `nav.index [aria-current] { font-weight: 600; text-decoration: none; }
nav.index + .card { margin-top: 1rem; }
form.card > details { margin: 0.75rem 0; }
main .card > details > summary, form.card summary { cursor: pointer; color: var(--accent); }
p.certificate { margin: 0 0 0.5rem; }
`;

export const signInQuery = joi.object({ provider: joi.valid(...KINDS) });

/** Where people sign in: the name of the page, and its address to hand out. */
function NamePart({ ctx, name, publicUrl }: { ctx: ApiContext; name: string | null; publicUrl: string }) {
  return (
    <section>
      <h2 id="page">Sign-in page</h2>
      <NoticeAt at="page" />
      <Form ctx={ctx} class="card" action={pathIn(ctx, `${AT}/name`)}>
        {name && (
          <p>
            <CopyLink
              id="sign-in-page"
              label="Address of the sign-in page"
              url={`${publicUrl}/sign-in/${name}`}
            />
          </p>
        )}
        <TextField
          name="sign_in_name"
          label="Sign-in name"
          required
          minLength={3}
          maxLength={40}
          autocapitalize="none"
          value={name ?? ''}
        />
        <p class="hint">
          People sign in at {publicUrl}/sign-in/{name ?? '…'}, and everybody can read the name. 3 to 40
          letters a to z, digits and hyphens. A former name leads nowhere, and is given to nobody else for{' '}
          {NAME_KEPT_DAYS} days. A tile or bookmark at your provider should open this address.
        </p>
        <button>{name ? 'Change sign-in name' : 'Save sign-in name'}</button>
      </Form>
    </section>
  );
}

/** The settings that wait for a test, with the button that begins it. */
function Waiting({ ctx, candidate }: { ctx: ApiContext; candidate: SsoCandidate }) {
  return (
    <div class="card trouble" id="waiting">
      <h3>Run a test to use these settings</h3>
      <ProviderFacts ctx={ctx} of={candidate} />
      <p class="hint">
        The test opens in another tab and asks you to sign in at the provider, with any account there. It
        shows what arrives, and what is wrong. Until it has passed, people sign in as before.
      </p>
      <Form ctx={ctx} class="actions" action={pathIn(ctx, `${AT}/test`)} target="_blank">
        <button>Run the test</button>
      </Form>
      <Confirm
        ctx={ctx}
        summary="Discard"
        action={pathIn(ctx, `${AT}/discard`)}
        button="Discard these settings"
        rare
      >
        The settings in use stay.
      </Confirm>
    </div>
  );
}

/** The provider in use. */
function Current({ ctx, connection }: { ctx: ApiContext; connection: SsoConnection }) {
  return (
    <div class="card">
      <h3>In use</h3>
      <ProviderFacts ctx={ctx} of={connection} tested={connection.tested_at} />
      <Form ctx={ctx} class="actions" action={pathIn(ctx, `${AT}/test`)} target="_blank">
        <button class="quiet">Test it again</button>
      </Form>
    </div>
  );
}

const REQUIRED: Record<RequiredOf, string> = {
  none: 'Nobody: people can also sign in with a link or a passkey',
  staff: 'The team: everybody whose role is not member',
  everyone: 'Everybody except the owner',
};

interface RulesProps {
  ctx: ApiContext;
  connection: SsoConnection;
  plans: Plans;
}

/** Who signs in through the provider, and how. */
function RulesPart({ ctx, connection, plans }: RulesProps) {
  const { name, enabled, required, trust_second_factor, provision } = connection;
  return (
    <section>
      <h2 id="rules">Who uses it</h2>
      <NoticeAt at="rules" />
      <Form ctx={ctx} class="card" action={pathIn(ctx, `${AT}/rules`)}>
        <TextField name="name" label="Name on the button" required maxLength={60} value={name} />
        <div id="enabled">
          <Choice name="enabled" checked={enabled}>
            Single sign-on is on
          </Choice>
        </div>
        <p class="hint">Switching it off signs out everybody who came through the provider.</p>
        <Choices
          type="radio"
          name="required"
          label="Who must use it"
          options={Object.entries(REQUIRED)}
          chosen={[required]}
        />
        <p class="hint">
          Whom this concerns enters this workspace through the provider only, from their next click on, also
          while the provider does not respond. You as the owner can always sign in with your email address.
          API keys keep working.
        </p>
        <fieldset>
          <legend>Two-step verification</legend>
          <Choice name="trust_second_factor" checked={trust_second_factor}>
            Rely on the provider’s
          </Choice>
          <p class="hint">
            For roles that need two-step verification, the provider is taken at its word. Choose this only if
            it enforces a second step. Otherwise people enter a code of their authenticator after the
            provider.
          </p>
        </fieldset>
        <fieldset>
          <legend>New people</legend>
          <Choice name="provision" checked={provision !== null}>
            Make members of people whom only the provider knows
          </Choice>
          <Select
            name="tier"
            label="Plan"
            options={planOptions(plans)}
            chosen={[provision?.tier ?? TIERS[0]]}
          />
          <TextArea
            name="domains"
            label="Domains of their email addresses"
            rows={2}
            placeholder="example.com"
            value={provision?.domains.join('\n') ?? ''}
          />
          <p class="hint">
            They get the role member and no invoices for their plan. Only exactly these domains count, not
            those below them. Others read that they need an invite.
          </p>
        </fieldset>
        <button>Save who uses it</button>
      </Form>
    </section>
  );
}

/**
 * `GET /dashboard/:workspace/sign-in`: the sign-in page and the identity provider of the workspace
 * (docs/guides/single-sign-on.md).
 */
export function showSignIn(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { manager } = deps.db;
    const { provider: chosen } = ctx.state.query as { provider?: Kind };
    const name = await findSignInName(manager, workspace_id);
    const connection = await findSsoConnection(manager, workspace_id);
    const candidate = await findSsoCandidate(manager, workspace_id);
    const workspace = (await findWorkspace(manager, workspace_id))!;
    const saved = candidate ?? connection;
    const savedKind = saved && kindOf(saved.provider);
    const kind = chosen ?? (candidate ? savedKind : null);
    showSection(ctx, {
      title: 'Sign-in',
      at: AT,
      css: CSS,
      children: (
        <>
          <p>
            With single sign-on, people enter this workspace with their account at your identity provider. It
            takes three steps: choose a sign-in name, connect the provider and test it, then switch it on.
          </p>
          <NamePart ctx={ctx} name={name} publicUrl={deps.publicUrl} />
          <section>
            <h2 id="provider">Identity provider</h2>
            <NoticeAt at="provider" />
            {candidate && <Waiting ctx={ctx} candidate={candidate} />}
            {connection && <Current ctx={ctx} connection={connection} />}
            <h3>{saved ? 'Change the provider, its secret or its certificates' : 'Choose your provider'}</h3>
            <SelectKind ctx={ctx} kind={kind} />
            {kind && (
              <>
                {await OurValues({ ctx, deps, kind })}
                <ProviderForm ctx={ctx} kind={kind} saved={savedKind === kind ? saved : null} />
              </>
            )}
          </section>
          {connection ? (
            <RulesPart ctx={ctx} connection={connection} plans={workspace.plans} />
          ) : (
            <section>
              <h2 id="rules">Who uses it</h2>
              <p>Nobody yet. This can be chosen once a test has passed.</p>
            </section>
          )}
        </>
      ),
    });
  };
}
