import { confirmSession } from '../../commands/access/sessions.js';
import type { Tx } from '../../db/transaction.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { text } from '../../api/http/fields.js';
import { showPage } from '../ui/layout.js';
import { CodeField, Form } from '../ui/forms.js';
import { checkCode, type CodeOutcome } from './second-factor.js';
import { setSessionCookie } from '../ui/session.js';

export const codeFields = { code: text(40).trim().min(1).required() };

/** The messages for codes that are not accepted. */
export const REJECTIONS: Record<Exclude<CodeOutcome, 'accepted'>, string> = {
  wrong: 'This code is wrong or has been used before. Wait for the next code and try again.',
  locked: 'Too many wrong codes. Wait 15 minutes, then try again.',
};

/** Gives the session a new id in the transaction that accepts the code. */
export const confirmed = (ctx: ApiContext, deps: ApiDependencies, session: BrowserSession) => (tx: Tx) =>
  confirmSession(tx, session.id_hash, setSessionCookie(ctx, deps));

function showCode(ctx: ApiContext, session: BrowserSession, rejection?: string): void {
  showPage(ctx, rejection ? 422 : 200, {
    title: 'Two-step verification',
    children: (
      <>
        <Form action="/sign-in/code" session={session}>
          <p>
            Signing in as <strong>{session.email}</strong>.
          </p>
          {rejection && (
            <p class="alert" role="alert">
              {rejection}
            </p>
          )}
          <CodeField label="Code from your authenticator, or a recovery code" />
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

/** Shows the form for a code: during sign-in, and before changes of the sign-in itself. */
export const showCodeForm: Handler = async (ctx) => {
  const session = ctx.state.session!;
  if (!session.has_second_factor) return ctx.redirect('/sign-in/go-on');
  showCode(ctx, session);
};

/** Checks a code. */
export function submitCode(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const { code } = ctx.state.body as { code: string };
    const outcome = await checkCode(deps, session.profile_id, code, confirmed(ctx, deps, session));
    if (outcome === 'accepted') ctx.redirect('/sign-in/go-on');
    else showCode(ctx, session, REJECTIONS[outcome]);
  };
}
