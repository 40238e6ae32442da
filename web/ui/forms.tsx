import type { ComponentChildren } from 'preact';
import type { BrowserSession } from '../../api/http/context.js';

/** A form. With a session it contains the session's CSRF token. */
export function Form(props: {
  action: string;
  session?: BrowserSession | null;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <form method="post" action={props.action} class={props.class}>
      {props.children}
      {props.session && <input type="hidden" name="csrf" value={props.session.csrf} />}
    </form>
  );
}

/** The field for a code. */
export function CodeField({ label }: { label: string }) {
  return (
    <>
      <label for="code">{label}</label>
      <input id="code" name="code" required autofocus autocomplete="one-time-code" maxLength={40} />
    </>
  );
}

/** Recovery codes, which are shown only once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <p>
        Each recovery code can be used once in place of a code from your authenticator. Store them somewhere
        you can reach without your phone. They will not be shown again.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
