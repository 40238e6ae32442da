import { Icon } from '../../ui/icons.js';

/** Elements for the calendar's script: a drawer, the outcome, and announcements for screen readers. */
export function Desk() {
  return (
    <>
      <dialog id="desk" class="drawer" aria-labelledby="desk-title">
        <header>
          <h2 id="desk-title"> </h2>
          <button type="button" class="close" aria-label="Close">
            <Icon name="close" />
          </button>
        </header>
        <div class="content" />
      </dialog>
      <p id="outcome" class="card notice" hidden />
      <p id="said" class="hidden" aria-live="polite" />
    </>
  );
}
