import type { ComponentChildren } from 'preact';

/** A menu that opens without a script: links, or a form. */
export function Menu(props: {
  id: string;
  label: ComponentChildren;
  name?: string;
  children: ComponentChildren;
}) {
  const { id, label, name, children } = props;
  return (
    <>
      <button type="button" class="quiet" popovertarget={id} aria-label={name}>
        {label}
      </button>
      <div id={id} class="menu-card" popover="auto">
        {children}
      </div>
    </>
  );
}
