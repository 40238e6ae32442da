import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';

/** Updates the `Priced` parts of a form while it is filled in. Other scripts of a page read pages with it. */
export const PRICED_SCRIPT = ['fetch-page', 'update-price']
  .map((name) => readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8'))
  .join('');

/**
 * A part of a form that depends on the fields `by`, such as the price. When one of them changes, the script
 * requests `at` with their values, and shows the same part of that page.
 */
export function Priced(props: {
  at: string;
  by: readonly string[];
  /** Screen readers say what has changed. */
  isSpoken?: boolean;
  children: ComponentChildren;
}) {
  const { at, by, isSpoken, children } = props;
  return (
    <div data-priced={at} data-priced-by={by.join(' ')} aria-live={isSpoken ? 'polite' : undefined}>
      {children}
    </div>
  );
}
