import joi from 'joi';
import { createHash } from 'node:crypto';
import { createContext, type ComponentChildren } from 'preact';
import type { IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import type { ApiContext, FormRejection } from '../../../api/http/context.js';
import { Form as PlainForm } from '../../ui/forms.js';
import { newSecret } from '../../../db/secrets.js';

/** The rejection of the surrounding form, if it was rejected. */
export const FormRejectionContext = createContext<FormRejection | null>(null);

interface FormProps {
  ctx: ApiContext;
  action: string;
  /** Gives the form an id, so that a repeat has no second effect; see `formIdempotencyKey`. */
  once?: boolean;
  class?: string;
  file?: boolean;
  /** Its response is shown in another tab. */
  target?: '_blank';
  children: ComponentChildren;
}

/** A form of the dashboard. If it was rejected, its fields contain the submitted values. */
export function Form({ ctx, action, once, class: className, file, target, children }: FormProps) {
  const { session, rejection } = ctx.state;
  // The page that it is shown on again is found by its path.
  const [path] = action.split('?');
  return (
    <PlainForm action={action} session={session} class={className} file={file} target={target}>
      <FormRejectionContext.Provider value={rejection && rejection.action === path ? rejection : null}>
        {children}
      </FormRejectionContext.Provider>
      {once && <input type="hidden" name="form_id" value={newSecret()} />}
    </PlainForm>
  );
}

/** The hidden fields of a form: the id of a form that takes effect once, and whether it was confirmed. */
export const hiddenFields = { form_id: joi.string().max(100), confirmed: joi.valid('yes', 'no') };

/**
 * The idempotency key of a form with an id. Reloading the response or clicking twice submits the same values
 * under the same id and has no second effect; going back and submitting other values does.
 */
export function formIdempotencyKey(ctx: ApiContext): IdempotencyKey {
  const request = JSON.stringify([ctx.path, ctx.state.body]);
  const fingerprint = createHash('sha256').update(request).digest('hex');
  return { key: `form ${fingerprint}`, fingerprint };
}

interface ConfirmProps extends Omit<FormProps, 'class'> {
  summary: string;
  button: string;
  /** True for an action that is rare or cannot be undone. */
  rare?: boolean;
}

/** An action that asks for confirmation and explains its effect. */
export function Confirm({ summary, button, rare, children, ...form }: ConfirmProps) {
  return (
    <details class={rare ? 'confirm rare' : 'confirm'} name="confirm">
      <summary>{summary}</summary>
      <Form {...form}>
        <p>{children}</p>
        <button class={rare ? 'danger' : undefined}>{button}</button>
      </Form>
    </details>
  );
}

/** Explains that a repeat has no effect and that the secret of the original form cannot be shown again. */
export function AlreadySubmitted({ secret, children }: { secret: string; children: ComponentChildren }) {
  return (
    <p>
      You already submitted this form. The {secret} was shown then and cannot be shown again. If you did not
      save it, {children}.
    </p>
  );
}
