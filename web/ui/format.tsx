export * from '../../domain/display.js';

/** An id, shown short. A click selects all of it, so that copying it takes the complete id. */
export function Id({ of }: { of: string }) {
  return (
    <code class="id" title={of}>
      {of}
    </code>
  );
}
