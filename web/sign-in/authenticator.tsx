import { COPY_SCRIPT, Secret } from '../ui/copy.js';
import { renderSVG } from 'uqr';
import {
  CODE_REJECTIONS,
  confirmAuthenticator,
  replaceCodes,
  secretToEnrol,
} from '../../commands/sign-in/authenticators.js';
import { totpAddress } from '../../commands/sign-in/codes.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';
import { PageError } from '../ui/browser.js';
import { continueSession } from './code.js';
import { CodeField, Form, RecoveryCodes } from '../ui/forms.js';

async function showAuthenticator(
  ctx: ApiContext,
  deps: ApiDependencies,
  session: BrowserSession,
  rejection?: string,
): Promise<void> {
  const secret = await secretToEnrol(deps, session);
  const qr = renderSVG(totpAddress(secret, session.email), { border: 2 });
  showPage(ctx, rejection ? 422 : 200, {
    title: 'Set up two-step verification',
    script: COPY_SCRIPT,
    children: (
      <Form action="/sign-in/authenticator" session={session}>
        {session.stage === 'enrolment' && (
          <p>
            <a href="/account/passkeys/new">Use a passkey instead</a>
          </p>
        )}
        <p>
          Scan this QR code with an authenticator app, or enter the key manually. Then enter the code from the
          app.
        </p>
        <div
          class="qr"
          role="img"
          aria-label="QR code of the key below"
          dangerouslySetInnerHTML={{ __html: qr }}
        />
        <Secret id="key">{secret.match(/.{1,4}/g)!.join(' ')}</Secret>
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

/**
 * Another second factor requires a code or passkey of a current one; the first requires
 * only the recent sign-in.
 */
export function assertCanEnrol(session: BrowserSession): void {
  if (!session.has_second_factor || (session.stage === 'complete' && session.fresh)) return;
  throw new PageError(403, 'Enter a code first', 'Start again from your account page.');
}

export function showAuthenticatorForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertCanEnrol(session);
    await showAuthenticator(ctx, deps, session);
  };
}

/** Shows the recovery codes of a new second factor, once. The sign-in continues from this page. */
export function showFirstCodes(ctx: ApiContext, title: string, codes: string[]): void {
  showPage(ctx, 200, {
    title,
    mark: 'good',
    script: COPY_SCRIPT,
    children: (
      <>
        <RecoveryCodes codes={codes} />
        <a class="button" href="/sign-in/go-on">
          I’ve saved my recovery codes
        </a>
      </>
    ),
  });
}

/** Confirms a new authenticator by its first code and shows new recovery codes. */
export function submitAuthenticator(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertCanEnrol(session);
    const { code } = ctx.state.body as { code: string };
    const enrolled = await confirmAuthenticator(deps, session, code);
    if (!enrolled) return showAuthenticator(ctx, deps, session, CODE_REJECTIONS.wrong);
    continueSession(ctx, deps, enrolled.token);
    showFirstCodes(ctx, 'Two-step verification is on', enrolled.codes);
  };
}

export function renewCodes(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    if (!session.has_second_factor)
      throw new PageError(
        403,
        'Two-step verification is not set up',
        'Set up an authenticator or add a passkey first to get recovery codes.',
      );
    const codes = await replaceCodes(deps.db, session);
    showPage(ctx, 200, {
      title: 'Your new recovery codes',
      mark: 'good',
      script: COPY_SCRIPT,
      children: (
        <>
          <p>The previous codes are no longer valid.</p>
          <RecoveryCodes codes={codes} />
          <a class="button" href="/account">
            I’ve saved my recovery codes
          </a>
        </>
      ),
    });
  };
}
