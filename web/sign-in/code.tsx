import { confirmByCode as acceptCode } from '../../commands/sign-in/authenticators.js';
import { confirmByPasskey as acceptPasskey } from '../../commands/sign-in/passkeys.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { text } from '../../api/http/fields.js';
import { showPage } from '../ui/layout.js';
import { CodeField, Form } from '../ui/forms.js';
import { verifyPasskey } from './passkeys/ceremonies.js';
import { PASSKEY_PAGE, PasskeyForm } from './passkeys/form.js';
import { setSessionCookie } from '../ui/session.js';

export const codeFields = { code: text(40).trim().min(1).required() };

export const PASSKEY_REJECTED = 'The passkey was not accepted. Try again.';

export const codeLabel = ({ has_authenticator }: BrowserSession): string =>
  has_authenticator ? 'Code from your authenticator, or a recovery code' : 'Recovery code';

/** Continues the session with the token that a code or passkey has issued, including in this request. */
export function continueSession(ctx: ApiContext, deps: ApiDependencies, token: string): void {
  const renewed = setSessionCookie(ctx, deps, token);
  ctx.state.session = { ...ctx.state.session!, ...renewed, stage: 'complete', fresh: true };
}

/** Confirms the session by a code. Returns why it is rejected; null if it is accepted. */
export async function confirmByCode(
  ctx: ApiContext,
  deps: ApiDependencies,
  code: string,
): Promise<string | null> {
  const outcome = await acceptCode(deps, ctx.state.session!, code);
  if ('rejection' in outcome) return outcome.rejection;
  continueSession(ctx, deps, outcome.token);
  return null;
}

/** Confirms the session by a passkey. Returns why it is rejected; null if it is accepted. */
export async function confirmByPasskey(
  ctx: ApiContext,
  deps: ApiDependencies,
  json: string,
): Promise<string | null> {
  const session = ctx.state.session!;
  const use = await verifyPasskey(deps, session, json);
  const token = use && (await acceptPasskey(deps.db, session, use));
  if (!token) return PASSKEY_REJECTED;
  continueSession(ctx, deps, token);
  return null;
}

function showCode(ctx: ApiContext, deps: ApiDependencies, session: BrowserSession, rejection?: string): void {
  showPage(ctx, rejection ? 422 : 200, {
    title: 'Two-step verification',
    ...PASSKEY_PAGE,
    children: (
      <>
        <p>
          Signing in as <strong>{session.email}</strong>.
        </p>
        {rejection && (
          <p class="alert" role="alert">
            {rejection}
          </p>
        )}
        {session.has_passkey && (
          <PasskeyForm
            deps={deps}
            purpose="proof"
            action="/sign-in/code/passkey"
            button="Use a passkey"
            session={session}
          />
        )}
        <Form action="/sign-in/code" session={session}>
          <CodeField label={codeLabel(session)} />
          <button>Continue</button>
        </Form>
        <Form action="/sign-out" session={session}>
          <button class="quiet">Sign out</button>
        </Form>
      </>
    ),
  });
}

/** Requires a session, even if its second factor is still missing. */
export const requiresSession: Handler = async (ctx, next) => {
  if (ctx.state.session) return next();
  ctx.redirect('/sign-in');
};

/**
 * Requires a session that still lacks its second factor, or one of the person's own: other sessions through a
 * provider must not be used to guess the person's codes.
 */
export const mayPresentFactor: Handler = async (ctx, next) => {
  const { session } = ctx.state;
  if (session && (!session.provider || session.stage === 'second_factor')) return next();
  ctx.redirect(session ? '/sign-in/go-on' : '/sign-in');
};

/** Shows the form for a code: during sign-in, and before changes of the sign-in itself. */
export const showCodeForm =
  (deps: ApiDependencies): Handler =>
  async (ctx) => {
    const session = ctx.state.session!;
    if (!session.has_second_factor) return ctx.redirect('/sign-in/go-on');
    showCode(ctx, deps, session);
  };

export function submitCode(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const { code } = ctx.state.body as { code: string };
    const rejection = await confirmByCode(ctx, deps, code);
    if (rejection === null) ctx.redirect('/sign-in/go-on');
    else showCode(ctx, deps, session, rejection);
  };
}

export function submitPasskey(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const { passkey } = ctx.state.body as { passkey: string };
    const rejection = await confirmByPasskey(ctx, deps, passkey);
    if (rejection === null) ctx.redirect('/sign-in/go-on');
    else showCode(ctx, deps, session, rejection);
  };
}
