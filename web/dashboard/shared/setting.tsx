import type { ComponentChildren } from 'preact';

interface SettingProps {
  title: string;
  /** The anchor that links lead to. */
  id?: string;
  /** What the settings cost or mean, in one sentence. */
  hint?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a page of settings: its name on the left, its forms on the right. */
export function Setting({ title, id, hint, children }: SettingProps) {
  return (
    <section class="setting">
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p class="hint">{hint}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
