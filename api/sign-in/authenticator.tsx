import { renderSVG } from 'uqr';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../http/context.js';
import { showPage } from '../pages/layout.js';
import { PageError } from './browser.js';
import { confirmed, REJECTIONS } from './code.js';
import { totpAddress } from './codes.js';
import { CodeField, Form, RecoveryCodes } from './forms.js';
import { checkCode, renewRecoveryCodes, secretToEnrol } from './second-factor.js';

async function showAuthenticator(
  ctx: ApiContext,
  deps: ApiDependencies,
  session: BrowserSession,
  rejection?: string,
): Promise<void> {
  const secret = await secretToEnrol(deps, session.profile_id);
  const qr = renderSVG(totpAddress(secret, session.email), { border: 2 });
  showPage(ctx, rejection ? 422 : 200, {
    title: 'Set up your authenticator',
    children: (
      <Form action="/sign-in/authenticator" session={session}>
        <p>
          Scan this QR code with an authenticator app, or enter the key there. Then enter the code that the
          app shows.
        </p>
        <div
          class="qr"
          role="img"
          aria-label="QR code of the key below"
          dangerouslySetInnerHTML={{ __html: qr }}
        />
        <p>
          <code id="key">{secret.match(/.{1,4}/g)!.join(' ')}</code>
        </p>
        {rejection && (
          <p class="alert" role="alert">
            {rejection}
          </p>
        )}
        <CodeField label="Code" />
        <button>Confirm</button>
      </Form>
    ),
  });
}

/** The first authenticator requires only the sign-in link; another one requires a code of the current one. */
function assertCanEnrol(session: BrowserSession): void {
  if (!session.has_second_factor || (session.stage === 'complete' && session.fresh)) return;
  throw new PageError(403, 'Enter a code first', 'Set up another authenticator from your account page.');
}

/** Shows the QR code of a new authenticator. */
export function showAuthenticatorForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertCanEnrol(session);
    await showAuthenticator(ctx, deps, session);
  };
}

/** Confirms a new authenticator by its first code and shows new recovery codes. */
export function submitAuthenticator(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertCanEnrol(session);
    let codes: string[] = [];
    const { code } = ctx.state.body as { code: string };
    const outcome = await checkCode(deps, session.profile_id, code, {
      confirm: true,
      onAccepted: async (tx) => {
        await confirmed(ctx, deps, session)(tx);
        codes = await renewRecoveryCodes(tx, session.profile_id);
      },
    });
    if (outcome !== 'accepted') return showAuthenticator(ctx, deps, session, REJECTIONS[outcome]);
    showPage(ctx, 200, {
      title: 'Your authenticator is set up',
      mark: 'good',
      children: (
        <>
          <RecoveryCodes codes={codes} />
          <a class="button" href="/sign-in/go-on">
            I have saved them
          </a>
        </>
      ),
    });
  };
}

/** Replaces the recovery codes and shows the new ones. */
export function renewCodes({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { profile_id } = ctx.state.session!;
    const codes = await transaction(db, (tx) => renewRecoveryCodes(tx, profile_id));
    showPage(ctx, 200, {
      title: 'Your new recovery codes',
      mark: 'good',
      children: (
        <>
          <p>The previous codes are no longer valid.</p>
          <RecoveryCodes codes={codes} />
          <a class="button" href="/account">
            I have saved them
          </a>
        </>
      ),
    });
  };
}
