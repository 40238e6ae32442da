import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { Form } from './form.js';

interface ActionProps {
  ctx: ApiContext;
  action: string;
  summary: string;
  button: string;
  /** True for an action that is rare or cannot be undone. */
  rare?: boolean;
  children?: ComponentChildren;
}

/** A form of an object's page that is closed until it is needed. It takes effect once. */
export function Action({ ctx, action, summary, button, rare, children }: ActionProps) {
  return (
    <details class={rare ? 'action rare' : 'action'} open={ctx.state.rejection?.action === action}>
      <summary>{summary}</summary>
      <Form ctx={ctx} action={action} once>
        {children}
        <button class={rare ? 'danger' : undefined}>{button}</button>
      </Form>
    </details>
  );
}

/** A name and its value; a falsy one is left out. */
type Fact = readonly [name: string, value: ComponentChildren] | null | undefined | false | '' | 0;

export function FactCard({ of }: { of: Fact[] }) {
  return (
    <dl class="facts card">
      {of.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}
