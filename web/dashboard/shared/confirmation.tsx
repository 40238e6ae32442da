import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { Submitted } from '../../ui/forms.js';
import { Form } from './form.js';
import { showSection } from './workspace.js';

export interface Confirmation {
  title: string;
  /** The navigation entry that the page belongs to. */
  at: string;
  effects: ComponentChildren;
  /** The label of the button, such as `Refund £30.00`. */
  button: string;
  /** True if it cannot be undone. */
  danger?: boolean;
}

/** Thrown if the user returns from a confirmation to its form. */
export class ReturnedToForm extends Error {}

/** Asks to confirm a submitted form. The buttons submit the same values again, to confirm or to return. */
export function showConfirmation(ctx: ApiContext, confirmation: Confirmation): void {
  const { title, at, effects, button, danger } = confirmation;
  const values = <Submitted ctx={ctx} without="confirmed" />;
  showSection(ctx, {
    title,
    at,
    children: (
      <div class="card confirmation">
        {effects}
        <Form ctx={ctx} action={ctx.path} class="actions">
          {values}
          <input type="hidden" name="confirmed" value="yes" />
          <button class={danger ? 'danger' : undefined}>{button}</button>
        </Form>
        <Form ctx={ctx} action={ctx.path} class="actions">
          {values}
          <input type="hidden" name="confirmed" value="no" />
          <button class="quiet">Go back</button>
        </Form>
      </div>
    ),
  });
}
