import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { Form } from '../ui/forms.js';
import { showPage } from '../ui/layout.js';
import { localPath, nextPage } from '../ui/session.js';
import { PASSKEY_PAGE, PasskeyForm } from './passkeys/form.js';

/** `GET /sign-in`: the form for an email address. People who are signed in are redirected. */
export const showSignIn =
  (deps: ApiDependencies): Handler =>
  async (ctx) => {
    const returnTo = localPath(ctx.query.return_to);
    const { session } = ctx.state;
    if (session && !session.provider)
      return ctx.redirect(session.stage === 'complete' ? returnTo : nextPage(session));
    showSignInPage(ctx, deps, returnTo);
  };

/** The sign-in page; after a passkey that was not accepted, with the reason. */
export function showSignInPage(
  ctx: ApiContext,
  deps: ApiDependencies,
  returnTo: string,
  rejection?: string,
): void {
  showPage(ctx, rejection ? 422 : 200, {
    title: 'Sign in to Holdfast',
    ...PASSKEY_PAGE,
    children: (
      <>
        {rejection && (
          <p class="alert" role="alert">
            {rejection}
          </p>
        )}
        <OwnSignIn ctx={ctx} deps={deps} returnTo={returnTo} />
        <p>
          <a href="/sign-in/workspace">Single sign-on</a>
        </p>
      </>
    ),
  });
}

/** How people sign in by themselves: with a link in a mail, or a passkey. */
export function OwnSignIn({
  ctx,
  deps,
  returnTo,
}: {
  ctx: ApiContext;
  deps: ApiDependencies;
  returnTo: string;
}) {
  return (
    <>
      <Form action="/sign-in" session={ctx.state.session}>
        <p>We’ll email you a sign-in link. No password needed.</p>
        <label for="email">Email address</label>
        <input id="email" name="email" type="email" required autofocus autocomplete="email" maxLength={254} />
        <input type="hidden" name="return_to" value={returnTo} />
        <button>Send link</button>
      </Form>
      <PasskeyForm
        deps={deps}
        purpose="sign_in"
        action="/sign-in/passkey"
        button="Sign in with a passkey"
        quiet
        session={ctx.state.session}
      >
        <input type="hidden" name="path" value={returnTo} />
      </PasskeyForm>
    </>
  );
}
