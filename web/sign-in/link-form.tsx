import type { ComponentChildren } from 'preact';
import type { BrowserSession } from '../../api/http/context.js';
import { Form } from '../ui/forms.js';

/** Emails a sign-in link to the person of a session, who continues at `returnTo`. */
export const SignInLinkForm = (props: {
  session: BrowserSession;
  returnTo: string;
  children?: ComponentChildren;
}) => (
  <Form action="/sign-in" session={props.session}>
    {props.children}
    <input type="hidden" name="email" value={props.session.email} />
    <input type="hidden" name="return_to" value={props.returnTo} />
    <button>Send link</button>
  </Form>
);
