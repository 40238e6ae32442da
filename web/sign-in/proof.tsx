import type { ComponentChildren } from 'preact';
import { CODE_REJECTIONS } from '../../commands/sign-in/authenticators.js';
import { FRESH_MINUTES } from '../../commands/sign-in/sessions.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { text } from '../../api/http/fields.js';
import { CodeField, Form, Submitted } from '../ui/forms.js';
import { showPage } from '../ui/layout.js';
import { codeFields, codeLabel, confirmByCode, confirmByPasskey } from './code.js';
import { PASSKEY_PAGE, passkeyField, PasskeyForm } from './passkeys/form.js';
import { requiresRecentSignIn } from './recent-sign-in.js';

/** Additional fields of a form that needs a proof. */
export const proofFields = { proof: text(40).trim(), ...passkeyField };

/** A proof among the fields of a form. */
interface Proof {
  proof?: string;
  passkey?: string;
}

/** The field of a form that takes a code each time. */
export const ownCodeFields = { code: codeFields.code.optional() };

/**
 * The code field of a form that requires a code each time. People without an authenticator use a passkey
 * instead.
 */
export const OwnCode = ({ session }: { session: BrowserSession }) =>
  session.has_authenticator ? <CodeField label={codeLabel(session)} /> : null;

/**
 * The submitted code, which a command checks. Null for people without an authenticator, for whom
 * `requiresProof` has checked a passkey. Errors: 422 on `code`.
 */
export function requiredCode(session: BrowserSession, code: string | undefined): string | null {
  if (code !== undefined || session.has_authenticator) return code ?? '';
  if (session.fresh) return null;
  throw new ApiError('validation_failed', CODE_REJECTIONS.wrong, { param: 'code' });
}

/** Whether a session has the proof that `requiresProof` requires. */
export const isProven = ({ has_second_factor, fresh, recent_sign_in, provider }: BrowserSession): boolean =>
  has_second_factor || provider ? fresh : recent_sign_in;

/** Shows the page that asks for a proof, which has forms for passkeys. */
export type AskForProof = (
  ctx: ApiContext,
  status: number,
  title: string,
  children: ComponentChildren,
) => void;

/** Shows it as a page of its own. */
export const askOnPage: AskForProof = (ctx, status, title, children) =>
  showPage(ctx, status, { title, ...PASSKEY_PAGE, children });

/**
 * Requires a proof from the last 15 minutes for actions whose effect outlives a session
 * (docs/rules/credentials.md#fresh-proof): a code or a passkey, or for people without a second factor a
 * sign-in by link. A person without one is asked for it on a page that keeps what they submitted, and then
 * the same request continues. Must follow the middleware that reads the form with `proofFields`.
 * `hasOwnCode`: the form has `ownCodeFields`.
 */
export function requiresProof(deps: ApiDependencies, ask: AskForProof, hasOwnCode = false): Handler {
  return async (ctx, next) => {
    const session = ctx.state.session!;
    const { proof, passkey, ...body } = ctx.state.body as Proof;
    const { proof: _, passkey: __, ...submitted } = ctx.state.submitted!;
    // Later middleware sees the form as it was before the proof was requested.
    Object.assign(ctx.state, { body, submitted });
    if (session.provider && !session.fresh) return askProvider(ctx, ask, session);
    if (!session.provider && !session.has_second_factor) return requiresRecentSignIn(ctx, next);
    // A form with its own code field checks that code.
    if (session.fresh || (hasOwnCode && 'code' in body)) return next();
    let rejection: string | null = null;
    if (passkey) rejection = await confirmByPasskey(ctx, deps, passkey);
    else if (proof) rejection = await confirmByCode(ctx, deps, proof);
    if ((passkey || proof) && rejection === null) return next();
    ask(
      ctx,
      rejection ? 422 : 200,
      'Confirm that it’s you',
      <div class="card proof">
        <p>
          To continue with what you submitted, confirm with{' '}
          {session.has_authenticator ? 'a code' : 'a passkey'}
          {session.has_authenticator && session.has_passkey && ' or a passkey'}. This is valid for{' '}
          {FRESH_MINUTES} minutes.
        </p>
        {rejection && (
          <p class="alert" role="alert">
            {rejection}
          </p>
        )}
        {session.has_passkey && (
          <PasskeyForm deps={deps} purpose="proof" action={ctx.path} button="Use a passkey" session={session}>
            <Submitted ctx={ctx} />
          </PasskeyForm>
        )}
        <Form action={ctx.path} session={session}>
          <Submitted ctx={ctx} />
          <CodeField label={codeLabel(session)} name="proof" />
          <button>Continue</button>
        </Form>
      </div>,
    );
  };
}

/**
 * Asks for a login at the provider of the session, in another tab, so that this one keeps what was submitted.
 */
function askProvider(ctx: ApiContext, ask: AskForProof, session: BrowserSession): void {
  const { name } = session.provider!;
  ask(
    ctx,
    200,
    'Confirm that it’s you',
    <div class="card proof">
      <p>
        This requires a sign-in at {name} within the last {FRESH_MINUTES} minutes. Confirm there, then
        continue here with what you submitted.
      </p>
      <p>
        <a class="button" href="/sso/proof" target="_blank" rel="noopener">
          Confirm at {name}
        </a>
      </p>
      <Form action={ctx.path} session={session}>
        <Submitted ctx={ctx} />
        <button class="quiet">Continue</button>
      </Form>
    </div>,
  );
}
