import { CopyButton } from '../ui/copy.js';

export const Code = ({ label, id, children }: { label: string; id?: string; children: string }) => (
  <figure>
    <figcaption class="soft">
      {label} {id && <CopyButton of={id} />}
    </figcaption>
    <pre tabIndex={0} role="group" aria-label={label}>
      <code id={id}>{children}</code>
    </pre>
  </figure>
);
