import type { ComponentChildren } from 'preact';

/**
 * A form on one line that chooses a value of the page's address and keeps the rest of it. `to`: the address
 * without the value. `children`: the field with its label.
 */
export function QueryForm(props: { to: string; button: string; children: ComponentChildren }) {
  const [path, query] = props.to.split('?');
  return (
    <form method="get" action={path} class="query">
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {props.children}
      <button type="submit" class="quiet">
        {props.button}
      </button>
    </form>
  );
}
