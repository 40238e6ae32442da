/** Elements for the calendar's script: a dialog, the outcome, and announcements for screen readers. */
export function Desk() {
  return (
    <>
      <dialog id="desk" aria-labelledby="desk-title">
        <button type="button" class="quiet close" aria-label="Close">
          ✕
        </button>
        <h2 id="desk-title"> </h2>
        <div class="content" />
      </dialog>
      <p id="outcome" class="card notice" hidden />
      <p id="said" class="hidden" aria-live="polite" />
    </>
  );
}

export function DeskHelp() {
  return (
    <details id="keys" hidden>
      <summary>Drag to book, move or extend, or use the keyboard</summary>
      <p class="soft">
        Drag free time to book it. Drag a booking to move it, or its bottom edge to change its length. You
        confirm the price before anything changes. Keyboard: arrow keys to move, Shift and arrow keys to
        select or extend, Space to pick up a booking, Enter to review, Escape to cancel.
      </p>
    </details>
  );
}
