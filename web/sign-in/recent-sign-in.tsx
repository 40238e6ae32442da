import { RECENT_SIGN_IN_MINUTES } from '../../commands/sign-in/sessions.js';
import type { Handler } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';
import { SignInLinkForm } from './link-form.js';

/**
 * Requires that the session was started by a link within the last 10 minutes, so that a stolen session
 * cannot change how its person signs in. Others are asked to sign in again, and return to the account page,
 * or to a form of another page.
 */
export const requiresRecentSignIn: Handler = async (ctx, next) => {
  const session = ctx.state.session!;
  if (session.recent_sign_in) return next();
  const page = ctx.path.startsWith('/oauth/') ? ctx.path : '/account';
  showPage(ctx, 403, {
    title: 'Sign in again first',
    children: (
      <>
        <SignInLinkForm session={session} returnTo={page}>
          <p>
            To make this change, you must have signed in within the last {RECENT_SIGN_IN_MINUTES} minutes.
            We’ll email a link to <strong>{session.email}</strong>.
          </p>
        </SignInLinkForm>
        {page === '/account' && <a href={page}>Back to your account</a>}
      </>
    ),
  });
};
