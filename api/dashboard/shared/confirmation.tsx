import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../http/context.js';
import { Form } from './form.js';
import { showSection } from './workspace.js';

/** What a form is about to do, with the amounts. */
export interface Confirmation {
  title: string;
  /** The navigation entry that the page belongs to. */
  at: string;
  effects: ComponentChildren;
  /** The label of the button, such as `Refund £30.00`. */
  button: string;
  /** True if it cannot be undone. */
  danger?: boolean;
  /** Where to go instead. */
  back: string;
}

/** Shows what a submitted form is about to do. Its button submits the same values again, confirmed. */
export function showConfirmation(ctx: ApiContext, confirmation: Confirmation): void {
  const { title, at, effects, button, danger, back } = confirmation;
  const values = Object.entries(ctx.state.submitted!).filter(([name]) => name !== 'csrf');
  showSection(ctx, {
    title,
    at,
    children: (
      <div class="card confirmation">
        {effects}
        <Form ctx={ctx} action={ctx.path} class="actions">
          {values.flatMap(([name, value]) =>
            [value]
              .flat()
              .map((each) => <input key={`${name} ${each}`} type="hidden" name={name} value={each} />),
          )}
          <input type="hidden" name="confirmed" value="yes" />
          <button class={danger ? 'danger' : undefined}>{button}</button>
          <a class="button quiet" href={back}>
            Go back
          </a>
        </Form>
      </div>
    ),
  });
}
