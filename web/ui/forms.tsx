import { CopyButton } from './copy.js';
import type { ComponentChildren } from 'preact';
import type { ApiContext, BrowserSession } from '../../api/http/context.js';

export function Form(props: {
  action: string;
  session?: BrowserSession | null;
  class?: string;
  hidden?: boolean;
  /** Where its response is shown: `_top` leaves a frame, `_blank` is another tab. */
  target?: '_top' | '_blank';
  /** Its `data-` attributes, without the prefix. */
  data?: Record<string, string>;
  file?: boolean;
  children: ComponentChildren;
}) {
  const data = Object.entries(props.data ?? {}).map(([name, value]) => [`data-${name}`, value]);
  return (
    <form
      method="post"
      action={props.action}
      class={props.class}
      hidden={props.hidden}
      target={props.target}
      enctype={props.file ? 'multipart/form-data' : undefined}
      {...Object.fromEntries(data)}
    >
      {props.children}
      {props.session && <input type="hidden" name="csrf" value={props.session.csrf} />}
    </form>
  );
}

/**
 * The submitted values as hidden fields of a form that continues with them. `without`: fields to leave out.
 */
export function Submitted({ ctx, without = [] }: { ctx: ApiContext; without?: readonly string[] }) {
  return (
    <>
      {Object.entries(ctx.state.submitted!)
        .filter(([name]) => name !== 'csrf' && !without.includes(name))
        .flatMap(([name, value]) =>
          [value]
            .flat()
            .map((each, index) => <input key={`${name} ${index}`} type="hidden" name={name} value={each} />),
        )}
    </>
  );
}

export function CodeField({ label, name = 'code' }: { label: string; name?: string }) {
  return (
    <>
      <label for={name}>{label}</label>
      <input id={name} name={name} required autofocus autocomplete="one-time-code" maxLength={40} />
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
      <ul class="codes" id="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyButton of="recovery-codes" label="Copy codes" />
    </>
  );
}
