import type { ComponentChildren } from 'preact';

interface SettingProps {
  title: string;
  /** The anchor that links lead to. */
  id?: string;
  /** What the settings cost or mean, in one sentence. */
  hint?: ComponentChildren;
  /** Its forms need the width of the page. */
  wide?: true;
  children: ComponentChildren;
}

/** A part of a page of settings: its name and its forms, side by side. */
export function Setting({ title, id, hint, wide, children }: SettingProps) {
  return (
    <section class={wide ? 'setting wide' : 'setting'}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p class="hint">{hint}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
