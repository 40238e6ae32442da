import { confirmSession } from '../../commands/sign-in/sessions.js';
import type { Tx } from '../../db/transaction.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { text } from '../../api/http/fields.js';
import { showPage } from '../ui/layout.js';
import { CodeField, Form } from '../ui/forms.js';
import { checkPasskey } from './passkeys/ceremonies.js';
import { PASSKEY_PAGE, PasskeyForm } from './passkeys/form.js';
import { checkCode, type CodeOutcome } from './second-factor.js';
import { setSessionCookie } from '../ui/session.js';

export const codeFields = { code: text(40).trim().min(1).required() };

/** The messages for codes that are not accepted. */
export const REJECTIONS: Record<Exclude<CodeOutcome, 'accepted'>, string> = {
  wrong: 'This code is wrong or has been used before. Wait for the next code and try again.',
  locked: 'Too many wrong codes. Wait 15 minutes, then try again.',
};

/** The message for a passkey that is not accepted. */
export const PASSKEY_REJECTED = 'The passkey was not accepted. Try again.';

/** What the field for a code takes. */
export const codeLabel = ({ has_authenticator }: BrowserSession): string =>
  has_authenticator ? 'Code from your authenticator, or a recovery code' : 'Recovery code';

/**
 * Gives the session a new id in the transaction that accepts the code or passkey. What follows in
 * the request has that one.
 */
export const confirmed =
  (ctx: ApiContext, deps: ApiDependencies, session: BrowserSession) =>
  async (tx: Tx): Promise<void> => {
    const renewed = setSessionCookie(ctx, deps);
    await confirmSession(tx, session.id_hash, renewed.id_hash);
    ctx.state.session = { ...session, ...renewed, stage: 'complete', fresh: true };
  };

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
 * Requires a session whose second factor is missing or that is the person's own: a session through a provider
 * tries no codes of its person besides.
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

/** Checks a code. */
export function submitCode(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const { code } = ctx.state.body as { code: string };
    const outcome = await checkCode(deps, session.profile_id, code, confirmed(ctx, deps, session));
    if (outcome === 'accepted') ctx.redirect('/sign-in/go-on');
    else showCode(ctx, deps, session, REJECTIONS[outcome]);
  };
}

/** Checks a passkey in place of a code. */
export function submitPasskey(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const { passkey } = ctx.state.body as { passkey: string };
    if (await checkPasskey(deps, session, passkey, confirmed(ctx, deps, session)))
      ctx.redirect('/sign-in/go-on');
    else showCode(ctx, deps, session, PASSKEY_REJECTED);
  };
}
