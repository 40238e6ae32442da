import { addPasskey, MAX_PASSKEYS } from '../../../commands/sign-in/passkeys.js';
import { parseDevice } from '../../../domain/sign-in/device.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { showPage } from '../../ui/layout.js';
import { assertCanEnrol, showFirstCodes } from '../authenticator.js';
import { continueSession } from '../code.js';
import { registered } from './ceremonies.js';
import { PASSKEY_PAGE, passkeyField, PasskeyForm } from './form.js';

const MAX_NAME = 60;
export const nameField = { name: text(MAX_NAME).trim().min(1).required() };
export const registerFields = { ...nameField, passkey: passkeyField.passkey.required() };

export const NameField = ({ value, id = 'name' }: { value: string; id?: string }) => (
  <>
    <label for={id}>Name of the passkey</label>
    <input id={id} name="name" required maxLength={MAX_NAME} value={value} />
  </>
);

function show(ctx: ApiContext, deps: ApiDependencies, name: string, rejection?: string): void {
  const session = ctx.state.session!;
  showPage(ctx, rejection ? 422 : 200, {
    title: 'Add a passkey',
    ...PASSKEY_PAGE,
    children: (
      <>
        <p>
          A passkey is stored on this device, in your password manager or on a security key, which asks for
          your fingerprint, face or PIN. It signs you in without a link or code.
        </p>
        {rejection && (
          <p class="alert" role="alert">
            {rejection}
          </p>
        )}
        <PasskeyForm
          deps={deps}
          purpose="register"
          action="/account/passkeys"
          button="Add passkey"
          session={session}
        >
          <NameField value={name} />
        </PasskeyForm>
        <p data-no-passkey>
          This browser cannot add a passkey here. Use a current browser with JavaScript, at this service’s own
          address.
        </p>
        <p>
          {session.stage === 'enrolment' ? (
            <a href="/sign-in/authenticator">Use an authenticator app instead</a>
          ) : (
            <a href="/account">Back to your account</a>
          )}
        </p>
      </>
    ),
  });
}

/** Shows the form for a new passkey, which the browser creates. */
export function showRegistration(deps: ApiDependencies): Handler {
  return async (ctx) => {
    assertCanEnrol(ctx.state.session!);
    show(ctx, deps, parseDevice(ctx.get('user-agent')));
  };
}

/**
 * Stores a new passkey (docs/rules/credentials.md#passkeys). Ends the person's other sessions and sends mail.
 * The first second factor of a person comes with recovery codes, which are shown once.
 */
export function register(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const session = ctx.state.session!;
    assertCanEnrol(session);
    const { name, passkey: json } = ctx.state.body as { name: string; passkey: string };
    const passkey = await registered(deps, session, json);
    const added = passkey && (await addPasskey(deps.db, session, { ...passkey, name }));
    if (!added)
      return show(
        ctx,
        deps,
        name,
        `The passkey was not added. Try again. An account can have at most ${MAX_PASSKEYS} passkeys.`,
      );
    continueSession(ctx, deps, added.token);
    if (added.codes.length === 0) return ctx.redirect('/account');
    showFirstCodes(ctx, 'Your passkey is added', added.codes);
  };
}
