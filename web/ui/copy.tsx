import { readFileSync } from 'node:fs';

/** Shows the buttons of `CopyButton` and has them copy. A page without it has what is shown to select. */
export const COPY_SCRIPT = readFileSync(new URL('./copy-buttons.js', import.meta.url), 'utf8');

/** A button that copies the value or text of an element; hidden until a script shows it. */
export const CopyButton = ({ of, label = 'Copy' }: { of: string; label?: string }) => (
  <button type="button" class="quiet copies" data-copies={of} hidden>
    {label}
  </button>
);

/** A secret or key that is shown once: one click selects it. */
export const Secret = ({ id, children }: { id: string; children: string }) => (
  <p class="copyable">
    <code class="secret" id={id}>
      {children}
    </code>{' '}
    <CopyButton of={id} />
  </p>
);

export const CopyLink = ({ id, label, url }: { id: string; label: string; url: string }) => (
  <span class="copyable">
    <input class="copy" id={id} readOnly value={url} aria-label={label} data-copy /> <CopyButton of={id} />
  </span>
);
