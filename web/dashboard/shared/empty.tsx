import type { ComponentChildren } from 'preact';

/** A list without rows: what would be here, an example, and the way to the first one. */
export function Empty(props: {
  children: ComponentChildren;
  example?: ComponentChildren;
  action?: ComponentChildren;
}) {
  const { children, example, action } = props;
  return (
    <div class="empty">
      <p>{children}</p>
      {example && <p>Example: {example}</p>}
      {action && <div class="actions">{action}</div>}
    </div>
  );
}
