import type { ComponentChildren } from 'preact';
import type { BrowserSession } from '../http/context.js';

/** A form of ours; with a session it carries the session's form token. */
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

/** Where a code of the authenticator is typed. */
export function CodeField({ label }: { label: string }) {
  return (
    <>
      <label for="code">{label}</label>
      <input id="code" name="code" required autofocus autocomplete="one-time-code" maxLength={40} />
    </>
  );
}

/** Recovery codes, the one time they are shown. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <p>
        Each of these codes works once in place of your authenticator. Keep them where you would find them
        without your phone: they are not shown again.
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
