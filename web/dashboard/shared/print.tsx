/** Prints the page; hidden until a script shows it. Without one the browser prints the same. */
export const PrintButton = () => (
  <button type="button" class="quiet" data-prints hidden>
    Print
  </button>
);
