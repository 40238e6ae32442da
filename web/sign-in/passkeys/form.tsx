import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { BrowserSession } from '../../../api/http/context.js';
import type { PasskeyChallenge } from '../../../db/entities/access.js';
import { text } from '../../../api/http/fields.js';
import { Form } from '../../ui/forms.js';
import { createRelyingParty } from './relying-party.js';

/**
 * The script that asks the browser for a passkey when a `PasskeyForm` is submitted. Pages with such a form
 * include it and may fetch.
 */
export const PASSKEY_SCRIPT = readFileSync(new URL('./passkey.js', import.meta.url), 'utf8');

export const PASSKEY_PAGE = { script: PASSKEY_SCRIPT, fetches: true };

/** The field with what the browser returns, as JSON. */
export const passkeyField = { passkey: text(10_000) };

/** A form that sends a passkey. Hidden in browsers that do not support passkeys, and without the script. */
export function PasskeyForm(props: {
  deps: Pick<ApiDependencies, 'publicUrl'>;
  purpose: PasskeyChallenge['purpose'];
  action: string;
  button: string;
  quiet?: boolean;
  session?: BrowserSession | null;
  class?: string;
  children?: ComponentChildren;
}) {
  const { deps, purpose, action, button, quiet, session, class: className, children } = props;
  return (
    <Form
      action={action}
      session={session}
      class={className}
      hidden
      data={{
        passkey: purpose,
        rp: createRelyingParty(deps).id,
        failed: 'The passkey was not used. Try again.',
        exists: 'This device already has a passkey for your account.',
        expired: 'This page is out of date. Reload it and try again.',
      }}
    >
      {children}
      <input type="hidden" name="passkey" value="" />
      <p class="alert" role="alert" hidden />
      <button class={quiet ? 'quiet' : undefined}>{button}</button>
    </Form>
  );
}
