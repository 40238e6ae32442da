import { confirmSession } from '../../db/repositories/access/sessions.js';
import type { Tx } from '../../db/transaction.js';
import { transaction } from '../../db/transaction.js';
import { renderSVG } from 'uqr';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../http/context.js';
import { text } from '../http/validate.js';
import { showPage } from '../pages/layout.js';
import { PageError, setSessionCookie } from './browser.js';
import { totpAddress } from './codes.js';
import { CodeField, Form, RecoveryCodes } from './forms.js';
import { renewRecoveryCodes, secretToEnrol, takeCode, type CodeOutcome } from './second-factor.js';

export const codeFields = { code: text(40).trim().min(1).required() };

/** What a code that was not taken is answered with. */
export const REFUSALS: Record<Exclude<CodeOutcome, 'accepted'>, string> = {
  wrong: 'That code is not right, or was used before. Wait for the next one and try again.',
  locked: 'Too many codes were wrong. Wait a quarter of an hour, then try again.',
};

/** The session goes on under a new id, in the transaction that takes the code. */
const confirmed = (ctx: ApiContext, deps: ApiDependencies, session: BrowserSession) => (tx: Tx) =>
  confirmSession(tx, session.id_hash, setSessionCookie(ctx, deps));

function showCode(ctx: ApiContext, session: BrowserSession, refusal?: string): void {
  showPage(ctx, refusal ? 422 : 200, {
    title: 'Your second factor',
    children: (
      <>
        <Form action="/sign-in/code" session={session}>
          <p>
            Signing in as <strong>{session.email}</strong>.
          </p>
          {refusal && (
            <p class="alert" role="alert">
              {refusal}
            </p>
          )}
          <CodeField label="Code of your authenticator, or a recovery code" />
          <button>Go on</button>
        </Form>
        <Form action="/sign-out" session={session}>
          <button class="quiet">Sign out</button>
        </Form>
      </>
    ),
  });
}

/** Who has come by a link, whether or not they have shown a code. */
export const halfSignedIn: Handler = async (ctx, next) => {
  if (ctx.state.session) return next();
  ctx.redirect('/sign-in');
};

/** Asks for a code: at sign-in, and again before how one signs in is changed. */
export const askForCode: Handler = async (ctx) => {
  const session = ctx.state.session!;
  if (!session.has_second_factor) return ctx.redirect('/sign-in/go-on');
  showCode(ctx, session);
};

/** Takes the code. */
export function enterCode(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    const { code } = ctx.state.body as { code: string };
    const outcome = await takeCode(deps, session.profile_id, code, {
      confirm: false,
      andThen: confirmed(ctx, deps, session),
    });
    if (outcome === 'accepted') ctx.redirect('/sign-in/go-on');
    else showCode(ctx, session, REFUSALS[outcome]);
  };
}

async function showAuthenticator(
  ctx: ApiContext,
  deps: ApiDependencies,
  session: BrowserSession,
  refusal?: string,
): Promise<void> {
  const secret = await secretToEnrol(deps, session.profile_id);
  const qr = renderSVG(totpAddress(secret, session.email), { border: 2 });
  showPage(ctx, refusal ? 422 : 200, {
    title: 'Set up your authenticator',
    children: (
      <Form action="/sign-in/authenticator" session={session}>
        <p>Scan this with an authenticator app, or type the key into it. Then enter the code it shows.</p>
        <div
          class="qr"
          role="img"
          aria-label="QR code of the key below"
          dangerouslySetInnerHTML={{ __html: qr }}
        />
        <p>
          <code id="key">{secret.match(/.{1,4}/g)!.join(' ')}</code>
        </p>
        {refusal && (
          <p class="alert" role="alert">
            {refusal}
          </p>
        )}
        <CodeField label="Code" />
        <button>Confirm</button>
      </Form>
    ),
  });
}

/** The first authenticator needs the link only, which has just been used; another one a code of the one before. */
function assertMayEnrol(session: BrowserSession): void {
  if (!session.has_second_factor || (session.stage === 'complete' && session.fresh)) return;
  throw new PageError(403, 'Show a code first', 'Set up another authenticator from your account page.');
}

/** Shows the QR code of a new authenticator. */
export function askForAuthenticator(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertMayEnrol(session);
    await showAuthenticator(ctx, deps, session);
  };
}

/** Takes the first code of a new authenticator, which counts from now on, and shows new recovery codes. */
export function enterAuthenticator(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertMayEnrol(session);
    let codes: string[] = [];
    const { code } = ctx.state.body as { code: string };
    const outcome = await takeCode(deps, session.profile_id, code, {
      confirm: true,
      andThen: async (tx) => {
        await confirmed(ctx, deps, session)(tx);
        codes = await renewRecoveryCodes(tx, session.profile_id);
      },
    });
    if (outcome !== 'accepted') return showAuthenticator(ctx, deps, session, REFUSALS[outcome]);
    showPage(ctx, 200, {
      title: 'Your authenticator is set up',
      mark: 'good',
      children: (
        <>
          <RecoveryCodes codes={codes} />
          <a class="button" href="/sign-in/go-on">
            I have kept them
          </a>
        </>
      ),
    });
  };
}

/** New recovery codes in place of the old ones. */
export function renewCodes({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { profile_id } = ctx.state.session!;
    const codes = await transaction(db, (tx) => renewRecoveryCodes(tx, profile_id));
    showPage(ctx, 200, {
      title: 'Your new recovery codes',
      mark: 'good',
      children: (
        <>
          <p>The old ones do not work any more.</p>
          <RecoveryCodes codes={codes} />
          <a class="button" href="/account">
            I have kept them
          </a>
        </>
      ),
    });
  };
}
