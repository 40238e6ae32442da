/** A block of code, which scrolls with the keyboard too. */
export const Code = ({ label, children }: { label: string; children: string }) => (
  <figure>
    <figcaption class="soft">{label}</figcaption>
    <pre tabIndex={0} role="group" aria-label={label}>
      <code>{children}</code>
    </pre>
  </figure>
);
