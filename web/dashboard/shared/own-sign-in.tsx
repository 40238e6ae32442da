import type { ApiContext } from '../../../api/http/context.js';
import { isOwnerByProvider } from '../../sign-in/single-sign-on/membership.js';
import { showSection } from './workspace.js';

/** Who must have signed in without the provider: the owner, or as decided from what was submitted. */
export type OwnSignIn<Sent> = true | ((sent: Sent) => boolean);

/** Whether a person who is signed in through a provider must sign in without it. */
export function asksForOwnSignIn<Sent>(
  ctx: ApiContext,
  of: OwnSignIn<Sent> | undefined,
  sent: Sent,
): boolean {
  const { session, membership } = ctx.state;
  if (typeof of === 'function') return session!.provider !== null && of(sent);
  return of === true && isOwnerByProvider(session!, membership!);
}

/** Asks a person to sign in without the provider. `at`: the navigation entry to return to. */
export function showOwnSignIn(ctx: ApiContext, at: string): void {
  const page = `/dashboard/${ctx.state.membership!.workspace_id}${at}`;
  showSection(
    ctx,
    {
      title: 'Sign in with your email address',
      at,
      children: (
        <div class="card proof">
          <p>
            You’re signed in through {ctx.state.session!.provider!.name}. Whoever manages it could sign in as
            you, so sign in with your own email address to make this change. Nothing has changed.
          </p>
          <p>
            <a class="button" href={`/sign-in?return_to=${encodeURIComponent(page)}`}>
              Sign in with your email address
            </a>
          </p>
        </div>
      ),
    },
    403,
  );
}
