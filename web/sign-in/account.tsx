import { listConnectedApplications } from '../../db/queries/applications/connected-application.js';
import { listSessions, setReturnTo } from '../../commands/sign-in/sessions.js';
import { listPasskeys } from '../../commands/sign-in/passkeys.js';
import { countRecoveryCodes } from '../../commands/sign-in/second-factors.js';
import { listMemberships, listOffers } from '../../db/queries/members/membership.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Handler } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';
import { Passkeys } from './passkeys/account.js';
import { AddressForm } from './address.js';
import { ConnectedApplications } from './applications.js';
import { offerPath } from './membership.js';
import { Form } from '../ui/forms.js';
import { Sessions } from './sessions.js';

/** `GET /account`: a person's authenticator, passkeys, recovery codes and sessions. */
export function showAccount({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const left = await countRecoveryCodes(db.manager, session.profile_id);
    const passkeys = await listPasskeys(db.manager, session.profile_id);
    const memberships = await listMemberships(db.manager, session.profile_id);
    const offers = await listOffers(db.manager, session.profile_id);
    const applications = await listConnectedApplications(db.manager, session);
    showPage(ctx, 200, {
      title: 'Your account',
      children: (
        <>
          <p>
            {session.email} · <a href="/dashboard">Dashboard</a>
          </p>
          {offers.map((offer) => (
            <p key={offer.workspace_id}>
              <a href={offerPath(offer)}>Accept your membership in {offer.workspace_name}</a>
            </p>
          ))}
          <dl>
            <div>
              <dt>Authenticator</dt>
              <dd>{session.has_authenticator ? 'set up' : 'none'}</dd>
            </div>
            {session.has_second_factor && (
              <div>
                <dt>Recovery codes left</dt>
                <dd>{left}</dd>
              </div>
            )}
          </dl>
          <Form action="/account/authenticator" session={session}>
            <button class="quiet">
              {session.has_authenticator ? 'Set up another authenticator' : 'Set up an authenticator'}
            </button>
          </Form>
          {session.has_second_factor && (
            <Form action="/account/recovery-codes" session={session}>
              <button class="quiet">New recovery codes</button>
            </Form>
          )}
          <Passkeys session={session} passkeys={passkeys} />
          {applications.length > 0 && <ConnectedApplications session={session} applications={applications} />}
          {memberships.length > 0 && <AddressForm session={session} memberships={memberships} />}
          <Sessions
            session={session}
            sessions={await listSessions(db.manager, session.profile_id, session.id_hash)}
          />
        </>
      ),
    });
  };
}

/** Requires a recently entered code. Others are sent to enter one and return to the account page. */
export function requiresRecentCode({ db }: ApiDependencies): Handler {
  return async (ctx, next) => {
    const session = ctx.state.session!;
    if (session.fresh || !session.has_second_factor) return next();
    await setReturnTo(db.manager, session.id_hash, '/account');
    ctx.redirect('/sign-in/code');
  };
}

/**
 * Redirects to the setup of a passkey, or of an authenticator that replaces the current one once it is
 * confirmed. It returns to the account page.
 */
export function startSetup({ db }: ApiDependencies, path: string): Handler {
  return async (ctx) => {
    await setReturnTo(db.manager, ctx.state.session!.id_hash, '/account');
    ctx.redirect(path);
  };
}
