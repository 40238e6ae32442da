import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { EXPECTED_PRICE } from '../../../api/resources/bookings/create.js';
import { ApiError } from '../../../domain/errors.js';
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
  /** The amounts that it shows, in minor units, by the names of the form's inputs for them. */
  amounts?: Record<string, number>;
}

const AMOUNT_CHANGED: readonly unknown[] = ['refund_changed', 'difference_changed'];

/** Whether a form was refused because its amount is no longer the one that its confirmation showed. */
export const showedOtherAmount = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.context.param === EXPECTED_PRICE || AMOUNT_CHANGED.includes(error.context.details?.reason));

/** Thrown if the user returns from a confirmation to its form. */
export class ReturnedToForm extends Error {}

/**
 * Asks to confirm a submitted form. The buttons submit the same values again, to confirm or to return.
 * `again`: the amounts have changed since they were shown.
 */
export function showConfirmation(ctx: ApiContext, confirmation: Confirmation, again: boolean): void {
  const { title, at, effects, button, danger, amounts = {} } = confirmation;
  const values = <Submitted ctx={ctx} without={['confirmed', ...Object.keys(amounts)]} />;
  const children = (
    <div class="card confirmation">
      {again && (
        <p class="alert" role="alert">
          The amount has changed since it was shown. Nothing has been done. Check the new amount.
        </p>
      )}
      {effects}
      <Form ctx={ctx} action={ctx.path} class="actions">
        {values}
        {Object.entries(amounts).map(([name, amount]) => (
          <input key={name} type="hidden" name={name} value={amount} />
        ))}
        <input type="hidden" name="confirmed" value="yes" />
        <button class={danger ? 'danger' : undefined}>{button}</button>
      </Form>
      <Form ctx={ctx} action={ctx.path} class="actions">
        {values}
        <input type="hidden" name="confirmed" value="no" />
        <button class="quiet">Go back</button>
      </Form>
    </div>
  );
  showSection(ctx, { title, at, children }, again ? 409 : 200);
}
