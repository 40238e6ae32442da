import { createHash } from 'node:crypto';
import { createContext, type ComponentChildren } from 'preact';
import type { IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import type { ApiContext, Refusal } from '../http/context.js';
import { text } from '../http/validate.js';
import { Form as PlainForm } from '../sign-in/forms.js';
import { newSecret } from '../sign-in/secrets.js';

/** The refusal of the form around a field, if it was refused. */
export const RefusalOfForm = createContext<Refusal | null>(null);

interface FormProps {
  ctx: ApiContext;
  action: string;
  /** The form has an id of its own, under which what it asks for is made once: see `onceOf`. */
  once?: boolean;
  class?: string;
  children: ComponentChildren;
}

/** A form of the dashboard. When it was refused, its fields hold what was typed. */
export function Form({ ctx, action, once, class: className, children }: FormProps) {
  const { session, refusal } = ctx.state;
  return (
    <PlainForm action={action} session={session} class={className}>
      <RefusalOfForm.Provider value={refusal?.action === action ? refusal : null}>
        {children}
      </RefusalOfForm.Provider>
      {once && <input type="hidden" name="form_id" value={newSecret()} />}
    </PlainForm>
  );
}

/** What a form with an id of its own brings. */
export const onceFields = { form_id: text(100).required() };

/**
 * The key under which a form's wish is made once: a reload of the answer and a second click send the same form with the
 * same words. Whoever goes back and types other words means another thing.
 */
export function onceOf(ctx: ApiContext): IdempotencyKey {
  const asked = JSON.stringify([ctx.path, ctx.state.body]);
  const fingerprint = createHash('sha256').update(asked).digest('hex');
  return { key: `form ${fingerprint}`, fingerprint };
}

interface ConfirmProps extends Omit<FormProps, 'class'> {
  /** What is offered. */
  offer: string;
  /** What the button says that does it. */
  button: string;
}

/** A button that asks first: what it does for good is said beside the one that does it. */
export function Confirm({ offer, button, children, ...form }: ConfirmProps) {
  return (
    <details class="confirm" name="confirm">
      <summary>{offer}</summary>
      <Form {...form}>
        <p>{children}</p>
        <button class="danger">{button}</button>
      </Form>
    </details>
  );
}

/** What a repeat is told: the first of its kind made it all, and showed the secret. */
export function AlreadyDone({ secret, children }: { secret: string; children: ComponentChildren }) {
  return (
    <p>
      This form was sent before. What it asks for was done then, and is not done again. The {secret} was shown
      that once and cannot be shown any more: if you have not kept it, {children}.
    </p>
  );
}
